"""sigwhy is killed by SIGKILL, before, in and after any phase: the program
runs on and ends as it would have.

The supervisor is the program's TracerPid, the keeper its parent. In the
phases of a death the supervisor stops itself (SIGWHY_TEST_PAUSE), so that it
can be killed exactly there. No report is expected of a dead supervisor, and
none is forbidden: the program's own end is compared.
"""

import os
import signal

import pytest

import proc_files
import programs
from runs import BARE, UNDER, under, unlimited_core

STATES = ["idle", "busy", "threads", "tree"]
ENDS = [b"e", b"n", b"a", b"f", b"r"]


def end_of(ending):
    return ending.status, ending.out, ending.own_err


def kill_and_wait(pids) -> None:
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    for pid in pids:
        proc_files.eventually(lambda: not proc_files.exists(pid),
                              what=f"{proc_files.described(pid)} is dead")


def supervisor_of(running) -> int:
    proc_files.eventually(lambda: proc_files.tracer(running.pid) != 0, 3.0,
                          "the program has a tracer")
    tracer = proc_files.tracer(running.pid)
    assert proc_files.is_sigwhy(tracer), proc_files.described(tracer)
    return tracer


def keeper_of(supervisor: int) -> int:
    keeper = proc_files.parent(supervisor)
    assert proc_files.is_sigwhy(keeper), \
        f"no keeper: {proc_files.described(keeper)}"
    return keeper


VICTIMS = {
    "supervisor": lambda running: [supervisor_of(running)],
    "keeper": lambda running: [keeper_of(supervisor_of(running))],
    "supervisor, keeper": lambda running: [
        supervisor_of(running), keeper_of(supervisor_of(running))],
    "keeper, supervisor": lambda running: [
        keeper_of(supervisor_of(running)), supervisor_of(running)],
}


def ready_worker(stage, way, state, **popen):
    running = stage.start(way, programs.c("worker"), state, **popen)
    running.out.wait_for(b"ready\n")
    return running


def told(running, how: bytes):
    running.tell(how)
    return running.ending()


@pytest.mark.parametrize("how", ENDS, ids=bytes.decode)
@pytest.mark.parametrize("state", STATES)
def test_in_the_middle(stage, state, how):
    bare = told(ready_worker(stage, BARE, state), how)
    running = ready_worker(stage, UNDER, state)
    kill_and_wait([supervisor_of(running)])
    proc_files.eventually(lambda: proc_files.tracer(running.pid) == 0)
    assert end_of(told(running, how)) == end_of(bare)


@pytest.mark.parametrize("how", ENDS, ids=bytes.decode)
@pytest.mark.parametrize("victims", VICTIMS.values(), ids=VICTIMS.keys())
def test_whoever_is_killed(stage, victims, how):
    bare = told(ready_worker(stage, BARE, "tree"), how)
    running = ready_worker(stage, UNDER, "tree")
    kill_and_wait(victims(running))
    assert end_of(told(running, how)) == end_of(bare)


def test_without_the_keeper_the_report_still_comes(stage):
    running = ready_worker(stage, UNDER, "idle")
    kill_and_wait([keeper_of(supervisor_of(running))])
    assert told(running, b"n").report


def test_a_core_is_dumped_all_the_same(stage):
    folders, cores = {}, {}
    for way in (BARE, UNDER):
        folders[way] = stage.folder / way.name
        folders[way].mkdir()
        running = ready_worker(stage, way, "threads", cwd=folders[way],
                               preexec_fn=unlimited_core)
        if way is UNDER:
            kill_and_wait([supervisor_of(running)])
        ending = told(running, b"n")
        cores[way] = (ending.status, sorted(
            path.name.replace(str(ending.pid), "PID")
            for path in folders[way].iterdir()))
    assert cores[UNDER] == cores[BARE]


def test_while_the_program_is_stopped(stage):
    """It stays stopped, its parent can continue it, and it goes on."""
    def story(way):
        running = ready_worker(stage, way, "threads")
        running.send(signal.SIGSTOP)
        seen = [os.waitpid(running.pid, os.WUNTRACED)[1]]
        if way is UNDER:
            kill_and_wait([supervisor_of(running)])
            proc_files.eventually(
                lambda: proc_files.tracer(running.pid) == 0)
        # The kernel wakes it for a moment when its tracer dies, to stop again.
        proc_files.eventually(lambda: proc_files.state(running.pid) == "T")
        running.send(signal.SIGCONT)
        seen.append(os.waitpid(running.pid, os.WCONTINUED)[1])
        return seen, end_of(told(running, b"e"))
    assert story(UNDER) == story(BARE)


def sigwhy_processes(stage, but: int) -> list[int]:
    return [pid for pid in stage.alive()
            if pid != but and proc_files.is_sigwhy(pid)]


@pytest.mark.parametrize("whom", ["the first that appears", "the tracer"])
def test_right_after_the_start(stage, whom):
    """As soon as there is somebody to kill: he may not yet have seized the
    program, or be in the middle of it. Many tries, as each is a race."""
    bare = stage.run(BARE, programs.c("family"), "fork")
    hit = 0
    for _ in range(30):
        running = stage.start(UNDER, programs.c("family"), "fork")
        while proc_files.exists(running.pid):
            tracer = proc_files.tracer(running.pid)
            victims = [tracer] if tracer else []
            if whom != "the tracer":
                victims = sigwhy_processes(stage, running.pid)
            if victims:
                kill_and_wait(victims[:1])
                hit += 1
                break
        assert end_of(running.ending()) == end_of(bare)
    assert hit, "the supervisor was never seen alive"


@pytest.mark.parametrize("phase", ["grab", "develop", "hold"])
@pytest.mark.parametrize("whom", ["supervisor", "both"])
@pytest.mark.parametrize("how", [b"n", b"a"], ids=bytes.decode)
def test_while_the_program_is_dying(stage, phase, whom, how):
    bare = told(ready_worker(stage, BARE, "threads"), how)
    env = stage.with_environment(SIGWHY_TEST_PAUSE=phase)
    running = ready_worker(stage, UNDER, "threads", env=env)
    supervisor = supervisor_of(running)
    victims = [supervisor]
    if whom == "both":
        victims.append(keeper_of(supervisor))
    running.tell(how)
    proc_files.eventually(lambda: proc_files.state(supervisor) == "T",
                          what=f"the supervisor stops itself in {phase}")
    kill_and_wait(victims)
    ending = running.ending()
    assert (ending.status, ending.out) == (bare.status, bare.out)


@pytest.mark.parametrize("phase", ["grab", "develop", "hold"])
def test_a_paused_supervisor_goes_on(stage, phase):
    """The pause alone changes nothing: continued, it reports."""
    bare = told(ready_worker(stage, BARE, "threads"), b"n")
    env = stage.with_environment(SIGWHY_TEST_PAUSE=phase)
    running = ready_worker(stage, UNDER, "threads", env=env)
    supervisor = supervisor_of(running)
    running.tell(b"n")
    proc_files.eventually(lambda: proc_files.state(supervisor) == "T")

    def ended():
        # More than one death, or one more look, may pause it again.
        if proc_files.state(supervisor) == "T":
            os.kill(supervisor, signal.SIGCONT)
        return not proc_files.exists(supervisor)
    proc_files.eventually(ended, what="the supervisor goes on and ends")
    ending = running.ending()
    assert end_of(ending)[:2] == end_of(bare)[:2] and ending.report


def test_the_dying_program_keeps_its_core(stage):
    """Killed in the grab: the fatal signal is delivered all the same."""
    env = stage.with_environment(SIGWHY_TEST_PAUSE="grab")
    running = ready_worker(stage, UNDER, "threads", env=env,
                           preexec_fn=unlimited_core)
    supervisor = supervisor_of(running)
    running.tell(b"n")
    proc_files.eventually(lambda: proc_files.state(supervisor) == "T")
    kill_and_wait([supervisor])
    bare = told(ready_worker(stage, BARE, "threads",
                             preexec_fn=unlimited_core), b"n")
    assert running.ending().status == bare.status


@pytest.mark.parametrize("number", [
    signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT,
    signal.SIGUSR2, signal.SIGSEGV, signal.SIGSTOP], ids=lambda s: s.name)
def test_other_signals_to_the_supervisor(stage, number):
    """Whatever they do to it, the program ends as bare. A stopped supervisor
    is continued first, as its program waits for it."""
    bare = told(ready_worker(stage, BARE, "idle"), b"n")
    running = ready_worker(stage, under("--quiet"), "idle")
    supervisor = supervisor_of(running)
    os.kill(supervisor, number)
    if number == signal.SIGSTOP:
        os.kill(supervisor, signal.SIGCONT)
    assert end_of(told(running, b"n")) == end_of(bare)


FAULTY_CHILD = ["/bin/sh", "-c", "sh -c 'kill -SEGV $$'; echo $?"]


def test_a_stopped_developing_process_stops_nothing_else(stage):
    """Somebody stops all he can; the supervisor does not wait for it."""
    bare = stage.run(BARE, *FAULTY_CHILD)
    env = stage.with_environment(SIGWHY_TEST_PAUSE="develop")
    running = stage.start(under("--quiet"), *FAULTY_CHILD, env=env)
    supervisor = supervisor_of(running)
    proc_files.eventually(lambda: proc_files.state(supervisor) == "T",
                          what="the supervisor has started it")
    developer, = [pid for pid in stage.alive()
                  if proc_files.parent(pid) == supervisor]
    os.kill(developer, signal.SIGSTOP)
    proc_files.eventually(lambda: proc_files.state(developer) == "T")
    os.kill(supervisor, signal.SIGCONT)
    running.out.wait_for(bare.out)
    os.kill(developer, signal.SIGCONT)
    assert running.ending().status == bare.status
