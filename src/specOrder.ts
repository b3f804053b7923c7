/**
 * Runs the specs that start processes first: they take longest, and one of them at the end would run alone. Specs that
 * need a DOM run one after the other, because a worker goes on with the next spec, and the modules that it has loaded,
 * only if both have the same project and environment.
 */
import { readFileSync } from 'node:fs'
import { group } from 'd3-array'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

export class SpecOrder extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer
    const sorted = await super.sort(specs)
    const { integration = [], ...others } = Object.fromEntries(group(sorted, ({ project }) => project.name))
    return [...integration, ...Object.values(others).flatMap(byEnvironment)]
  }
}

function byEnvironment(specs: TestSpecification[]): TestSpecification[] {
  const inDom = new Set(specs.filter(({ moduleId }) => readFileSync(moduleId, 'utf8').includes('@vitest-environment')))
  return [...inDom, ...specs.filter((spec) => !inDom.has(spec))]
}
