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
