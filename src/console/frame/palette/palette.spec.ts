import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rank, score } from './rank.ts'

const best = (query: string, texts: string[]) =>
  texts.toSorted((a, b) => (score(query, b) ?? -1) - (score(query, a) ?? -1))[0]

test('matches only if all letters are there, in order', () => {
  expect(score('alt', 'Alerts')).not.toBeNull()
  expect(score('tla', 'Alerts')).toBeNull()
  expect(score('alertz', 'Alerts')).toBeNull()
})

test('ranks a whole match above scattered letters, and the start of a word above its middle', () => {
  expect(best('dash', ['Add a shiny thing', 'Dashboards'])).toBe('Dashboards')
  expect(best('na', ['Internal', 'New alert'])).toBe('Internal')
  expect(best('nal', ['Connection list', 'New alert'])).toBe('New alert')
  expect(best('s', ['Alerts', 'Sources'])).toBe('Sources')
})

test('finds any text by its own beginning', () => {
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

test('lists recent entries first without a query, and loses nothing', () => {
  const groups = rank(entries, '', ['theme:dark', 'gone'])
  expect(groups.map((group) => group.title)).toEqual(['Recent', 'Pages'])
  expect(groups.flatMap((group) => group.entries)).toHaveLength(entries.length)
})

test('orders groups by their best entry with a query', () => {
  const groups = rank(entries, 'dark', [])
  expect(groups.map((group) => group.title)).toEqual(['Console'])
  expect(rank(entries, 'zzz', [])).toEqual([])
})

test('matches a number as a whole, and not as part of an ID', () => {
  const id = '6703e49b1c49aa0012349f49'
  const records = [
    { id: 'a', group: 'Records', label: 'Payments', detail: 'Alert', recordId: id },
    { id: 'b', group: 'Records', label: `Alert on ${id}`, detail: 'Alert' },
    { id: 'c', group: 'Records', label: 'Payments 4xx of 9 shops', detail: 'Alert' },
    { id: 'd', group: 'Records', label: 'Payments 49', detail: 'Alert' },
  ]
  const found = (query: string) => rank(records, query, []).flatMap(({ entries: all }) => all.map(({ id }) => id))
  expect(found('payments 49')).toEqual(['d'])
  expect(found('alert 49')).toEqual(['d'])
  expect(found(id.slice(0, 8))).toEqual(['a', 'b'])
})

test('searches the search text instead of the detail', () => {
  const blocked = [{ id: 'a', group: 'Pages', label: 'Webhooks', detail: 'Staging', disabled: 'Not offered' }]
  expect(rank(blocked, 'webhooks staging', [])).toEqual([])
  expect(rank(blocked, 'webhooks offered', [])).toHaveLength(1)
})

test('shows the first entries of a group, and says that there are more', () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    id: `c${at}`,
    group: 'Connections',
    label: `Switch to ${at}`,
  }))
  const groups = rank([...many, ...entries], '', [])
  expect(groups.map(({ title, isCut }) => [title, isCut])).toEqual([
    ['Connections', true],
    ['Pages', false],
    ['Console', false],
  ])
  expect(groups[0]?.entries.length).toBeLessThan(100)
  // Each of them is found by a longer text.
  expect(rank(many, 'switch 299', [])).toMatchObject([{ entries: [{ id: 'c299' }], isCut: false }])
})

test('finds words in any order, after those that were typed as they are shown', () => {
  const records = [
    { id: 'other', group: 'Records', label: 'Errors of carts', detail: 'Alert · Staging' },
    { id: 'same', group: 'Records', label: 'Staging errors', detail: 'Alert · Production' },
  ]
  const [group] = rank(records, 'staging errors', [])
  expect(group?.entries.map(({ id }) => id)).toEqual(['same', 'other'])
})
