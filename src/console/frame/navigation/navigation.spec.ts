import { Search } from 'lucide-react'
import { expect, test } from 'vitest'
import { placeOf, type NavEntry } from './navigation.ts'

const icon = Search
const home: NavEntry = { title: 'Home', template: '/', group: 'Observe', icon }
const search: NavEntry = { title: 'Search', template: '/c/$id/search', group: 'Observe', section: 'Search', icon }
const saved: NavEntry = { title: 'Saved searches', template: '/c/$id/searches', section: 'Search', icon }
const entries = [home, search, saved]

test('a page that is no entry belongs to none, or to the section that it names', () => {
  expect(placeOf(entries, '/c/$id/nowhere', undefined)).toEqual({
    entry: undefined,
    listed: undefined,
    inSettings: false,
  })
  expect(placeOf(entries, '/c/$id/trace/$traceId', 'Search')).toMatchObject({ entry: undefined, listed: search })
})

test('a tab is listed under the entry of its section, any other page under its own', () => {
  expect(placeOf(entries, '/c/$id/searches/$searchId', undefined)).toMatchObject({ entry: saved, listed: search })
  expect(placeOf(entries, '/', undefined)).toMatchObject({ entry: home, listed: home })
})
