// A reporter of Vitest: when no test has ended for 15 minutes, it says what is running and ends the run with exit code 1, so that CI
// fails with a reason. The timeouts of tests are shorter, but they do not end a blocked thread, nor a worker that does not report its end.
const LIMIT_MINUTES = 15

export default class ReportHanging {
  /** The tests that are running, by the name of their file. */
  #running = new Map()
  #timer

  onTestModuleQueued(module) {
    this.#running.set(module.relativeModuleId, new Set())
    this.#restart()
  }
  onTestModuleEnd(module) {
    this.#running.delete(module.relativeModuleId)
    this.#restart()
  }
  onTestCaseReady(test) {
    this.#running.get(test.module.relativeModuleId)?.add(test.fullName)
  }
  onTestCaseResult(test) {
    this.#running.get(test.module.relativeModuleId)?.delete(test.fullName)
    this.#restart()
  }
  onTestRunEnd() {
    clearTimeout(this.#timer)
  }

  #restart() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(), LIMIT_MINUTES * 60_000)
  }
  #end() {
    console.error(`FAILED No test has ended for ${LIMIT_MINUTES} minutes.`)
    if (this.#running.size === 0) console.error('All tests that began have ended, but a worker has not.')
    for (const [file, tests] of this.#running)
      console.error(`  ${file}: ${[...tests].join(', ') || 'no test has reported its start'}`)
    process.exit(1)
  }
}
