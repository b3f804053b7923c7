import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rank } from './rank.ts'
import { score } from './score.ts'

const best = (query: string, texts: string[]) =>
  texts.toSorted((a, b) => (score(query, b) ?? -1) - (score(query, a) ?? -1))[0]

test('letters must all be there, in order', () => {
  expect(score('alt', 'Alerts')).not.toBeNull()
  expect(score('tla', 'Alerts')).toBeNull()
  expect(score('alertz', 'Alerts')).toBeNull()
})

test('a whole match beats scattered letters, the start of a word beats its middle', () => {
  expect(best('dash', ['Add a shiny thing', 'Dashboards'])).toBe('Dashboards')
  expect(best('na', ['Internal', 'New alert'])).toBe('Internal')
  expect(best('nal', ['Connection list', 'New alert'])).toBe('New alert')
  expect(best('s', ['Alerts', 'Sources'])).toBe('Sources')
})

test('a text is found by its own beginning, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, cut) => {
      const start = text.slice(0, (cut % text.length) + 1)
      expect(score(start, text)).not.toBeNull()
    }),
  )
})

const entries = [
  { id: 'page:alerts', group: 'Pages', label: 'Alerts' },
  { id: 'page:sources', group: 'Pages', label: 'Sources' },
  { id: 'theme:dark', group: 'Console', label: 'Theme: dark' },
]

test('without a query the recents come first and nothing is lost', () => {
  const groups = rank(entries, '', ['theme:dark', 'gone'])
  expect(groups.map((group) => group.title)).toEqual(['Recent', 'Pages'])
  expect(groups.flatMap((group) => group.entries)).toHaveLength(entries.length)
})

test('with a query, groups come in the order of their best entry', () => {
  const groups = rank(entries, 'dark', [])
  expect(groups.map((group) => group.title)).toEqual(['Console'])
  expect(rank(entries, 'zzz', [])).toEqual([])
})

test('a number is whole, and no part of an id', () => {
  const id = '6703e49b1c49aa0012349f49'
  const records = [
    { id: 'a', group: 'Records', label: 'Payments', detail: 'Alert', recordId: id },
    { id: 'b', group: 'Records', label: `Alert on ${id}`, detail: 'Alert' },
    { id: 'c', group: 'Records', label: 'Payments 4xx of 9 shops', detail: 'Alert' },
    { id: 'd', group: 'Records', label: 'Payments 49', detail: 'Alert' },
  ]
  const found = (query: string) => rank(records, query, []).flatMap(({ entries: all }) => all.map((one) => one.id))
  expect(found('payments 49')).toEqual(['d'])
  expect(found('alert 49')).toEqual([])
  expect(found(id.slice(0, 8))).toEqual(['a', 'b'])
})

test('what stands there instead of the detail is found, not the detail', () => {
  const blocked = [{ id: 'a', group: 'Pages', label: 'Webhooks', detail: 'Staging', disabled: 'Not offered' }]
  expect(rank(blocked, 'webhooks staging', [])).toEqual([])
  expect(rank(blocked, 'webhooks offered', [])).toHaveLength(1)
})
