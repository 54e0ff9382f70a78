// A reporter of Vitest: names the tests that failed once and passed at the second try, so that they are not overlooked.
export default class ReportSecondTries {
  onTestRunEnd(modules) {
    for (const module of modules)
      for (const test of module.children.allTests('passed'))
        if (test.diagnostic()?.flaky)
          console.error(`Passed at the second try: ${module.relativeModuleId}: ${test.fullName}`)
  }
}
