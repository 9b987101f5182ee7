//! Starts the page.

fn main() {
    pinfold_web::start();
}
