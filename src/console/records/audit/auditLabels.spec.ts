import { expect, test } from 'vitest'
import { consoleEndpoints } from '#contract/index.ts'
import { actionOf } from './auditLabels.ts'

test.each([
  ['alerts.create', 'created alert'],
  ['members.delete', 'deleted member'],
  ['pipes.discover', 'read a sample for data pipe'],
  ['services.replicaScaling', 'scaled service'],
])('%s is "%s"', (event, words) => {
  expect(actionOf(event)).toBe(words)
})

test('every operation of the API is said in words, not by its name in the contract', () => {
  const written = consoleEndpoints.filter(({ method }) => method !== 'GET')
  expect(written.length).toBeGreaterThan(60)
  const unnamed = written.flatMap(({ resource, verb }) => {
    const words = actionOf(`${resource}.${verb}`)
    return /^[a-z]+ed |^(read|sent|reset) /.test(words) ? [] : [`${resource}.${verb}: ${words}`]
  })
  expect(unnamed).toEqual([])
})
