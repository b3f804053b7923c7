/** Runs the specs that start processes first: they take longest, and one of them at the end would run alone. */
import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const startsProcesses = /\b(fork|spawn|startPostgres|testPostgres)\(/

export class SpecOrder extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer
    const sorted = await super.sort(specs)
    const first = new Set(sorted.filter(({ moduleId }) => startsProcesses.test(readFileSync(moduleId, 'utf8'))))
    return [...first, ...sorted.filter((spec) => !first.has(spec))]
  }
}
