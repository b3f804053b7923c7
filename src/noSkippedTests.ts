/** A run of the tests in which one was skipped fails: what was not tried must not look as if it had passed. */
import type { Reporter, TestModule, Vitest } from 'vitest/node'

export class NoSkippedTests implements Reporter {
  /** A run of some tests by their name leaves out the others on purpose. */
  #isChoice = false

  onInit({ config }: Vitest): void {
    this.#isChoice = config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isChoice) return
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `${module.relativeModuleId}: ${test.fullName}`),
    )
    if (skipped.length === 0) return
    process.stderr.write(`Skipped, which is not allowed:\n${skipped.map((name) => `  ${name}\n`).join('')}`)
    process.exitCode = 1
  }
}
