import { expect, test } from 'vitest'
import { dashboard as dashboardSchema } from '#contract/stack/dashboards/dashboards.ts'
import { checkedBody, droppedFields, findingsOf, sortFindings } from './useValidation.ts'

const target = dashboardSchema.parse({
  id: 'd',
  name: 'D',
  tiles: [{ id: 't', name: 'T', x: 0, y: 0, w: 4, h: 4, config: { displayType: 'line', future: 1 } }],
  filters: [{ id: 'f', name: 'Service' }],
  newPart: { a: 1 },
})

test('the validated dashboard has no IDs that a new one must not have, and is otherwise the one to be saved', () => {
  expect(checkedBody(target)).toMatchObject({ name: 'D', tiles: [{ id: 't' }] })
  expect(checkedBody(target)).not.toHaveProperty('id')
  expect(checkedBody(target)).toHaveProperty('filters', [{ name: 'Service' }])
})

test('reports fields that the deployment drops, but not those that it fills in', () => {
  const normalized = {
    name: 'D',
    tags: [],
    filters: [{ name: 'Service' }],
    tiles: [{ name: 'T', x: 0, y: 0, w: 4, h: 4, config: { displayType: 'line', fillNulls: true } }],
  }
  expect(droppedFields(target, normalized).map(({ path }) => path)).toEqual([
    ['tiles', 0, 'config', 'future'],
    ['newPart'],
  ])
  expect(droppedFields(target, null)).toEqual([])
})

test('findings name the tile, and distinguish those from before the change', () => {
  const errors = [
    { path: 'tiles.0.config.select.1.where', message: 'too long' },
    { path: 'filters.0', message: 'unknown key' },
    { path: 'tiles.7', message: 'odd' },
    { path: '', message: 'no such source' },
  ]
  const findings = findingsOf(errors, target)
  expect(findings.map(({ where }) => where)).toEqual([
    'tile “T” › series B › condition',
    'filter “Service”',
    'tiles › 8',
    '',
  ])
  const { new: fresh, old } = sortFindings(findings, findingsOf(errors.slice(3), target))
  expect(fresh).toHaveLength(3)
  expect(old).toEqual([{ where: '', message: 'no such source' }])
})
