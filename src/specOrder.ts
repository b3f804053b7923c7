/** Runs the specs that start processes first: they take longest, and one of them at the end would run alone. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

export class SpecOrder extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer
    const sorted = await super.sort(specs)
    const first = new Set(sorted.filter(({ moduleId }) => moduleId.endsWith('.integration.spec.ts')))
    return [...first, ...sorted.filter((spec) => !first.has(spec))]
  }
}
