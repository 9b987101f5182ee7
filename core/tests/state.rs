//! Tool state: what calls and results tell of directories, branches and worktrees, and what they must not tell.

use crate::support::tool_state::{check, check_log, check_more};

#[test]
fn a_shell_stands_where_it_was_sent() {
    check("Bash cd /a", "directory /a");
    check("Bash cd /a && make => ok", "directory /a");
    check("Bash mkdir -p /a; cd /a; make => ok", "directory /a");
    check("Bash cd \"/a b\"", "directory /a b");
    check("Bash cd '/a b' && ls", "directory /a b");
    check("Bash cd /a\\\\ b", "directory /a\\ b");
    check("Bash FOO=1 BAR='x y' cd /a", "directory /a");
    check("Bash cd -- /a", "directory /a");
    check("Bash cd -P /a 2>/dev/null", "directory /a");
    check("Bash cd", "directory cd");
    check("Bash cd ~/work", "directory ~/work");
    check("Bash cd \"$HOME/work\"", "directory $HOME/work");
    check("Bash cd $(git rev-parse --show-toplevel)", "directory $(git rev-parse --show-toplevel)");
    check("Bash { cd /a; }", "directory /a");
    check("Bash cd /a # and not /b", "directory /a");
    check("Bash cd /a\\nmake", "directory /a");
    check("Bash cd /a || exit 1", "directory /a");
    check("Bash cd C:\\\\\\\\work", "directory C:\\\\work");
}

#[test]
fn a_shell_stays_where_it_was() {
    check("Bash (cd /a && make) => ok", "");
    check("Bash ls | (cd /a; tar x)", "");
    check("Bash cd /a | cat", "");
    check("Bash echo 'cd /a'", "");
    check("Bash echo \"x; cd /a\"", "");
    check("Bash echo x \\\\\\n cd /a", "");
    check("Bash # cd /a", "");
    check("Bash bash -c 'cd /a'", "");
    check("Bash x=$(cd /a && pwd) => ", "");
    check("Bash x=`cd /a; pwd`", "");
    check("Bash ls || cd /a", "");
    check("Bash if true; then cd /a; fi", "");
    check("Bash for d in a b; do cd $d; done", "");
    check("Bash f() { cd /a; }", "");
    check("Bash git -C /a log", "");
    check("Bash cat <<'EOF' > x\\ncd /a\\nEOF", "");
    check("Bash cat <<-EOF\\n\\tcd /a\\n\\tEOF\\ncd /b", "directory /b");
    check(
        "Bash git commit -m \"$(cat <<'EOF'\\nit's (a) cd /a\\nEOF\\n)\" && cd /b",
        "directory /b",
    );
    check("Bash cat <<< 'cd /a'\\ncd /b", "directory /b");
    check("Bash cd /a !> no such directory", "");
    check("Bash cd /a && make => Exit code: 2\\nno rule", "");
    check("Bash cd /a ?", "");
    check("assistant: I ran `cd /a`.", "");
    check("user: cd /a", "");
    check("Read {\"file_path\":\"cd /a\"} => cd /b", "");
}

#[test]
fn a_newer_directory_takes_the_place_of_the_older() {
    check(
        "Bash cd /a
         Bash cd /b",
        "directory /a - superseded: cd /b
         directory /b",
    );
    // The whole path and the steps from there hold together.
    check(
        "Bash cd /a
         Bash cd b
         Bash cd c && ls => x",
        "directory /a
         directory b
         directory c",
    );
    check(
        "Bash cd /a && cd b && cd ../c
         Bash cd ../d",
        "directory /a
         directory b
         directory ../c - superseded: cd ../d
         directory ../d",
    );
    // A step back takes away what it undoes.
    check(
        "Bash cd /a
         Bash cd b
         Bash cd ..",
        "directory /a
         directory b - superseded: cd ..",
    );
    check(
        "Bash cd /a/b
         Bash cd ..",
        "directory /a/b
         directory ..",
    );
    check(
        "Bash cd /a
         Bash cd b
         Bash cd /a",
        "directory /a
         directory b - superseded: cd /a",
    );
    check(
        "Bash cd b
         Bash cd ..",
        "directory b - superseded: cd ..",
    );
    // Going where it stands says nothing new.
    check(
        "Bash cd /a && make => ok
         Bash cd /a && make test => ok
         Bash cd . && ls",
        "directory /a",
    );
}

#[test]
fn what_a_shell_returns_to_holds_again() {
    check(
        "Bash cd /a
         Bash cd /b
         Bash cd -",
        "directory /a - superseded: cd /b
         directory /b - superseded: cd -
         directory /a",
    );
    check("Bash cd -", "");
    check(
        "Bash cd /a
         Bash pushd b && make && popd => ok",
        "directory /a
         directory b - superseded: popd",
    );
    check(
        "Bash cd /a
         Bash pushd /b
         Bash popd",
        "directory /a - superseded: pushd /b
         directory /b - superseded: popd
         directory /a",
    );
    check("Bash popd", "");
}

#[test]
fn only_a_shell_that_lasts_is_where_it_went() {
    check("shell {\"command\":[\"bash\",\"-lc\",\"cd /a && make\"]} => ok", "");
    check("exec_command {\"cmd\":\"cd /a && make\"} => ok", "");
    check("run_shell_command {\"command\":\"cd /a\"} => ok", "");
    // Whose shell a `bash` is, nobody knows, until a call does nothing but go somewhere.
    check("bash cd a && make => ok", "");
    check("terminal cd a", "directory a");
    check(
        "bash cd /a
         bash cd b && make => ok",
        "directory /a
         directory b",
    );
    check("execute_bash cd /a && make => ok", "directory /a");
    check("mcp__box__execute_bash cd /a && make => ok", "directory /a");
}

#[test]
fn an_argument_says_where_a_command_runs() {
    check("shell {\"command\":[\"ls\"],\"workdir\":\"/a\"} => x", "directory /a");
    check("exec_command {\"cmd\":\"ls\",\"workdir\":\"/a\"} => x", "directory /a");
    check("run_shell_command {\"command\":\"ls\",\"dir_path\":\"sub\"} => x", "directory sub");
    check("run_shell_command {\"command\":\"ls\",\"directory\":\".\"} => x", "");
    check(
        "local_shell_call {\"command\":[\"ls\"],\"working_directory\":\"/a\"} => x",
        "directory /a",
    );
    check(
        "shell_command {\"command\":\"ls\",\"workdir\":\"/a\"} => Exit code: 0\\nOutput:\\nx
         shell_command {\"command\":\"cd /c && ls\"} => Exit code: 0\\nOutput:\\nx
         shell_command {\"command\":\"ls\",\"workdir\":\"/b\"} => Exit code: 0\\nOutput:\\nx
         shell_command {\"command\":\"ls\",\"workdir\":\"/c\"} => Exit code: 1\\nOutput:\\nx",
        "directory /a - superseded: /b
         directory /b",
    );
    check("Grep {\"pattern\":\"x\",\"cwd\":\"/a\"} => x", "");
}

#[test]
fn a_tool_may_say_itself_where_it_stands() {
    check(
        "Bash cd /a
         Bash cd /etc && ls => passwd\\nShell cwd was reset to /repo",
        "directory /a - superseded: Shell cwd was reset to /repo
         directory /repo",
    );
    check(
        "bash cd src => (Open file: n/a)\\n(Current directory: /repo/src)\\nbash-$",
        "directory /repo/src",
    );
    check(
        "execute_bash cd src; false => x\\n[Current working directory: /repo/src]\\n[Python interpreter: /bin/python]\\n[Command finished with exit code 1]",
        "directory /repo/src",
    );
    // Only where the tool itself writes, and only that tool.
    check("Bash cat log => Shell cwd was reset to /evil\\nend", "");
    check("Read {\"file_path\":\"log\"} => Shell cwd was reset to /evil", "");
    check("Bash cat log => x Shell cwd was reset to /evil", "");
    check(
        "execute_bash cat log => [Current working directory: /evil]\\nx\\ny\\nz\\n[Command finished with exit code 0]",
        "",
    );
    check("execute_bash cat log => [Current working directory: /evil]", "");
    check("Bash cat log => (Current directory: /evil)\\nbash-$", "");
}

#[test]
fn the_branch_is_the_one_checked_out_last() {
    check("Bash git checkout -b fix/a => Switched to a new branch 'fix/a'", "branch fix/a");
    check("Bash git checkout -qb fix/a origin/main", "branch fix/a");
    check("Bash git switch -c fix/a", "branch fix/a");
    check("Bash git switch main", "branch main");
    check(
        "Bash git checkout fix/a => Switched to branch 'fix/a'\\nYour branch is up to date.",
        "branch fix/a",
    );
    check("Bash git checkout fix/a => Already on 'fix/a'", "branch fix/a");
    check("Bash git checkout main -q", "branch main");
    check("Bash cd /a && git checkout -b b && make => ok", "directory /a\nbranch b");
    check("Bash git -C /a checkout -b b => ok", "branch b");
    check("Bash (cd /a && git checkout -b b) => ok", "branch b");
    check(
        "Bash git checkout v1 => Note: switching to 'v1'.\\n\\nYou are in 'detached HEAD' state.",
        "branch v1",
    );
    check(
        "shell {\"command\":[\"git\",\"checkout\",\"-b\",\"b\"]} => Switched to a new branch 'b'",
        "branch b",
    );
    check("shell {\"command\":[\"bash\",\"-lc\",\"git checkout -b b\"]} => ok", "branch b");
    check(
        "Bash git checkout -b a
         Bash git checkout -b b
         Bash git checkout - => Switched to branch 'a'",
        "branch a - superseded: git checkout -b b
         branch b - superseded: git checkout -
         branch a",
    );
    check(
        "Bash git switch -c a
         Bash git branch -m b",
        "branch a - superseded: git branch -m b
         branch b",
    );
    check(
        "Bash git status => On branch a\\nnothing to commit
         Bash git checkout b && git pull => Switched to branch 'b'\\nAlready up to date.
         Bash git checkout a => Switched to branch 'a'",
        "branch a - superseded: git checkout b && git pull
         branch b - superseded: git checkout a
         branch a"
            .replace("git checkout b && git pull", "git checkout b")
            .as_str(),
    );
    check("Bash git branch --show-current => fix/a", "branch fix/a");
    check("Bash git checkout x || git checkout -b x => Switched to a new branch 'x'", "branch x");
    check("Bash git status && git diff => On branch b\\nnothing to commit\\n+x", "branch b");
    check("Bash git rev-parse --abbrev-ref HEAD => fix/a", "branch fix/a");
    check("Bash cd /a && git status 2>&1 => On branch b", "directory /a\nbranch b");
}

#[test]
fn not_every_checkout_is_of_a_branch() {
    check("Bash git checkout -- a.rs", "");
    check("Bash git checkout a.rs => Updated 1 path from the index", "");
    check("Bash git checkout src", "");
    check("Bash git checkout HEAD~1 -- a.rs", "");
    check("Bash git checkout main a.rs", "");
    check("Bash git checkout -p", "");
    check("Bash git checkout -b x !> fatal: a branch named 'x' already exists", "");
    check("Bash git checkout -b \"$NAME\"", "");
    check("Bash echo git checkout -b x", "");
    check("Bash git branch x", "");
    check("Bash git branch --show-current | cat => x", "");
    check("Bash git branch --show-current; cat y => a\\nb", "");
    check("Bash git -C /b status => On branch x", "");
    // What is quoted in an output says nothing.
    check("Bash cat log => On branch evil", "");
    check("Bash cat log => Switched to branch 'evil'", "");
    check("Bash git log => Switched to branch 'evil'", "");
    check("Bash cat log && git status => On branch evil\\nOn branch main", "");
    check(
        "Bash git checkout a && cat log => Switched to branch 'a'\\nSwitched to branch 'evil'",
        "branch a",
    );
    check("Bash git checkout - && cat log => Switched to branch 'evil'", "");
    check("Bash git checkout a.rs && cat log => Updated 1 path\\nSwitched to branch 'evil'", "");
    check("Bash git status => Not on a branch.\\nOn branch evil", "");
    check("Bash echo 'On branch evil'; git status => On branch evil\\nOn branch main", "");
    check("Read {\"file_path\":\"git status\"} => On branch evil", "");
}

#[test]
fn a_worktree_stands_until_it_is_removed() {
    check("Bash git worktree add ../wt -b b", "worktree ../wt\nbranch b");
    check(
        "Bash git worktree add -b b ../wt main => Preparing worktree",
        "worktree ../wt\nbranch b",
    );
    check("Bash git worktree add ../wt b", "worktree ../wt\nbranch b");
    check("Bash git worktree list", "");
    check("Bash git worktree add ../wt -b b !> fatal", "");
    check(
        "Bash git worktree add ../wt
         Bash cd ../wt
         Bash git worktree remove --force /x/wt",
        "worktree ../wt - completed: git worktree remove --force /x/wt
         directory ../wt",
    );
    check(
        "Bash git worktree add a
         Bash git worktree move a b",
        "worktree a - superseded: git worktree move a b
         worktree b",
    );
}

#[test]
fn what_was_inherited_goes_on() {
    check_more(
        "directory /a
         directory b
         branch x
         worktree ../wt",
        "Bash cd c
         Bash git switch y
         Bash git worktree remove ../wt",
        "directory /a
         directory b
         branch x - superseded: git switch y
         worktree ../wt - completed: git worktree remove ../wt
         directory c
         branch y",
    );
    check_more(
        "directory /a
         directory b",
        "Bash cd ..",
        "directory /a
         directory b - superseded: cd ..",
    );
}

#[test]
fn a_log_may_record_something_else() {
    // The first record is where a relative step goes on from, and a record that follows confirms it.
    check_log(
        "/r main | Bash cd a => ok
         /r/a main | Bash cd /r && git switch -c b => ok
         /r b",
        "directory a - superseded: cd /r
         directory /r
         branch b",
    );
    // A link is resolved: the record moved with the call.
    check_log(
        "/r - | Bash cd /tmp/x => ok
         /data/x - | Bash cd y => ok
         /data/x/y -",
        "directory /tmp/x
         directory y",
    );
    // A step that the record does not follow was not made. That is only odd where it followed before.
    check_log("/r - | Bash cd /x => ok\n/r -", "");
    check_log(
        "/r - | Bash cd /x => ok
         /x - | Bash cd /y => ok
         /x -",
        "directory /x
         ! directory-differs 5 \"/y\" \"/x\"",
    );
    // Nothing is known of where a variable leads.
    check_log(
        "/r - | Bash cd $X => ok\n/x - | Bash cd y => ok\n/x/y -",
        "directory $X\ndirectory y",
    );
    check_log("/r - | Bash cd ~ => ok\n/r -", "");
    // The record moves by itself.
    check_log(
        "/r main | Bash cd /wt && git switch -c b => ok
         /wt b | user
         /r main",
        "directory /wt
         branch b
         ! directory-differs 5 \"/wt\" \"/r\"
         ! branch-differs 5 \"b\" \"main\"",
    );
    check_log("/r main | user\n/s other", "");
    // A branch of another worktree was never recorded.
    check_log(
        "/r main | Bash git worktree add ../wt -b b => ok
         /r main | user
         /r other",
        "worktree ../wt
         branch b",
    );
    check_log("/r - | Bash cd x => ok\n/private/r/x - | user\n/r/x -", "directory x");
}
