// A reporter of Vitest. While recording it writes how each test file ended. With a planted defect it ends the run at the first failure, and
// when a test file makes no progress.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** How long a test may take compared with the run without a defect, and at least. */
const SLOWER = 5
const AT_LEAST = 30_000

export class FirstFailure {
  #plan
  #files = []
  #timer

  constructor(plan) {
    this.#plan = plan
  }

  onTestModuleQueued(module) {
    this.#expectProgress(module)
  }

  onTestModuleStart(module) {
    this.#expectProgress(module)
  }

  onTestCaseResult(test) {
    this.#expectProgress(test.module)
    if (test.result().state === 'failed')
      this.#fail(`${nameOf(test.module)}: ${test.fullName}`, test.result().errors?.[0]?.message)
  }

  onTestModuleEnd(module) {
    const [error] = module.errors()
    const { duration, collectDuration } = module.diagnostic()
    this.#files.push({ file: nameOf(module), isPassed: module.ok(), duration: duration + collectDuration })
    if (!module.ok()) this.#fail(nameOf(module), error?.message)
    if (this.#plan.record) process.stdout.write(module.ok() ? '.' : '!')
  }

  onTestRunEnd(_modules, errors) {
    clearTimeout(this.#timer)
    if (this.#plan.record) writeFileSync(this.#plan.result, JSON.stringify(this.#files))
    else if (errors.length > 0) this.#fail('an unhandled error', errors[0].message)
    else writeFileSync(this.#plan.result, JSON.stringify({ isCaught: false }))
  }

  #expectProgress(module) {
    if (this.#plan.record) return
    clearTimeout(this.#timer)
    const usual = this.#plan.files.find(({ file }) => file === nameOf(module))?.duration ?? 0
    this.#timer = setTimeout(() => this.#fail(`${nameOf(module)}: no progress`), AT_LEAST + SLOWER * usual)
  }

  #fail(by, message = '') {
    if (this.#plan.record) return
    writeFileSync(this.#plan.result, JSON.stringify({ isCaught: true, by, message: message.split('\n')[0] }))
    process.exit(1)
  }
}

const nameOf = (module) => relative(module.project.config.root, module.moduleId).replaceAll('\\', '/')
