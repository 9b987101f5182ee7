//! Packages of Debian and its descendants, the fallback where other downloads fail.

use crate::run::{self, Result};

/// Installs packages, refreshing the lists only if that turns out to be needed.
pub(crate) fn install(packages: &[&str]) -> Result {
    if run::on_path("apt-get").is_none() {
        return Err(format!("this system has no apt-get to install {} with", packages.join(", ")));
    }
    run::doing(format_args!("Debian packages: {}", packages.join(" ")));
    install_listed(packages).or_else(|_| {
        run::run(run::command("apt-get").arg("update"))?;
        install_listed(packages)
    })
}

fn install_listed(packages: &[&str]) -> Result {
    run::run(
        run::command("apt-get")
            .args(["install", "-y", "--no-install-recommends"])
            .args(packages)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}
