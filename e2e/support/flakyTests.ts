/** Lists the tests that passed only on a retry, and fails a run with too many of them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter'

/** A run with more flaky tests fails. */
const maxFlaky = 2

/** An entry of `flaky.json`. */
interface FlakyTest {
  project: string
  /** Relative to the folder of the tests, with `/`. */
  file: string
  line: number
  /** The titles of the groups around it, and its own. */
  title: string
  /** The messages of the attempts that failed. */
  errors: string[]
}

// oxlint-disable-next-line import/no-default-export -- Playwright loads a reporter by its file
export default class FlakyTests implements Reporter {
  #run: { config: FullConfig; suite: Suite } | undefined

  onBegin(config: FullConfig, suite: Suite): void {
    this.#run = { config, suite }
  }

  onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    if (!this.#run) return Promise.resolve({ status })
    const { config, suite } = this.#run
    const flaky = suite
      .allTests()
      .filter((test) => test.outcome() === 'flaky')
      .map((test) => describe(test, config.rootDir))
    writeList(config, flaky)
    if (flaky.length === 0) return Promise.resolve({ status })

    const isTooMany = flaky.length > maxFlaky
    const lines = flaky.map(({ file, line, title }) => `  ${file}:${line} › ${title}\n`)
    process.stderr.write(`\n${flaky.length} passed only on a retry:\n${lines.join('')}`)
    if (isTooMany) process.stderr.write(`More than ${maxFlaky} such tests fail the run.\n`)
    return Promise.resolve({ status: isTooMany && status === 'passed' ? 'failed' : status })
  }
}

function describe(test: TestCase, rootDir: string): FlakyTest {
  const [, project = '', , ...titles] = test.titlePath()
  return {
    project,
    file: relative(rootDir, test.location.file).replaceAll('\\', '/'),
    line: test.location.line,
    title: titles.join(' › '),
    errors: test.results.flatMap(({ errors }) => errors.map(({ message = '' }) => plain(message))),
  }
}

/** Without the escape sequences of terminal colors. */
function plain(text: string): string {
  return text.replaceAll(new RegExp(`${String.fromCodePoint(27)}\\[[\\d;]*m`, 'g'), '')
}

/** Also an empty list, which says that the run had none. */
function writeList({ projects: [project] }: FullConfig, flaky: readonly FlakyTest[]): void {
  if (!project) return
  mkdirSync(project.outputDir, { recursive: true })
  writeFileSync(join(project.outputDir, 'flaky.json'), `${JSON.stringify(flaky, null, 2)}\n`)
}
