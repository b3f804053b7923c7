/**
 * Runs the specs that start processes first: they take longest, and one of them at the end would run alone. The others
 * follow by project, because a worker goes on with the next spec, and the modules that it has loaded, only if both belong to
 * one project. Otherwise it ends, and another one loads everything again.
 */
import { group } from 'd3-array'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

export class SpecOrder extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer
    const sorted = await super.sort(specs)
    const { integration = [], ...others } = Object.fromEntries(group(sorted, ({ project }) => project.name))
    return [...integration, ...Object.values(others).flat()]
  }
}
