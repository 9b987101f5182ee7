//! A Chromium for the tests of the page.

use std::env;
use std::path::{Path, PathBuf};

use crate::run::{self, Result};
use crate::{debian, node};

/// The variable that names a browser, read here and by the page's tests.
pub(crate) const VARIABLE: &str = "PINFOLD_CHROMIUM";

/// Finds a browser or installs one: the ordinary way first.
pub(crate) fn ensure() -> Result<PathBuf> {
    if let Some(found) = find()? {
        run::ok(format_args!("browser {}", found.display()));
        return Ok(found);
    }
    run::doing("browser: npx playwright-core install chromium");
    let playwright = node::bin("web", "playwright-core");
    let ordinary = run::run(run::command(playwright).args(["install", "chromium"]));
    if ordinary.is_ok()
        && let Some(found) = playwrights().filter(|browser| starts(browser))
    {
        return Ok(found);
    }
    if debian::install(&["chromium"]).is_ok() {
        return on_this_machine()
            .ok_or_else(|| format!("chromium was installed but does not start\n{WAY_OUT}"));
    }
    Err(WAY_OUT.to_owned())
}

fn find() -> Result<Option<PathBuf>> {
    if let Some(named) = env::var_os(VARIABLE).map(PathBuf::from) {
        return if starts(&named) {
            Ok(Some(named))
        } else {
            Err(format!("{VARIABLE} names {}, which does not start", named.display()))
        };
    }
    Ok(on_this_machine().or_else(|| playwrights().filter(|browser| starts(browser))))
}

fn on_this_machine() -> Option<PathBuf> {
    let named = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let on_mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    named
        .iter()
        .filter_map(|name| run::on_path(name))
        .chain([PathBuf::from(on_mac)])
        .find(|browser| starts(browser))
}

/// Where playwright keeps the browser that it installs itself.
fn playwrights() -> Option<PathBuf> {
    let ask =
        "import('playwright-core').then(({ chromium }) => console.log(chromium.executablePath()))";
    let web = run::root().join("web");
    let path = run::capture(run::command("node").args(["-e", ask]).current_dir(web)).ok()?;
    Some(PathBuf::from(path)).filter(|browser| browser.is_file())
}

/// A downloaded browser may lack a library of the system; then even this fails.
fn starts(browser: &Path) -> bool {
    // On Windows the question would open a window instead of printing an answer.
    cfg!(windows) && browser.is_file()
        || run::capture(run::command(browser).arg("--version")).is_ok()
}

const WAY_OUT: &str = "\
The page's tests need a Chromium. Any one of these gives one:
  sudo apt-get install chromium                               (Debian, Ubuntu)
  cd web && npx playwright-core install --with-deps chromium
  PINFOLD_CHROMIUM=/path/to/chromium cargo xtask test";
