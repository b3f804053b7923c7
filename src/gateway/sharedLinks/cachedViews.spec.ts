import { expect, test } from 'vitest'
import { CachedViews } from './cachedViews.ts'

function counted(limits: { view: number; all: number; links: number }) {
  const views = new CachedViews(limits)
  const reads: string[] = []
  /** Characters of the view, or its failure. */
  const get = (link: string, interval: number, length: number) =>
    views.get(link, String(interval), async () => {
      reads.push(link)
      if (length < 0) throw new Error('not read')
      return 'x'.repeat(length)
    })
  return { get, reads }
}

test('a view that is too large is read once for each interval, and told to everybody', async () => {
  const { get, reads } = counted({ view: 10, all: 100, links: 10 })
  for (let at = 0; at < 5; at++) await expect(get('a', 1, 11)).rejects.toThrow('more results')
  expect(reads).toEqual(['a'])
  expect(await get('a', 2, 10)).toHaveLength(10)
})

test('views are held as long as all of them have room, the newest first', async () => {
  const { get, reads } = counted({ view: 10, all: 25, links: 10 })
  for (const link of ['a', 'b', 'c', 'c', 'b']) await get(link, 1, 10)
  expect(reads).toEqual(['a', 'b', 'c'])
  await get('a', 1, 10)
  expect(reads).toEqual(['a', 'b', 'c', 'a'])
  await get('c', 1, 10)
  await get('a', 1, 10)
  expect(reads).toHaveLength(4)
})

test('many small views are held at once, and no more than the limit', async () => {
  const { get, reads } = counted({ view: 10, all: 10_000, links: 300 })
  const links = Array.from({ length: 300 }, (_, at) => `link ${at}`)
  for (let round = 0; round < 3; round++) for (const link of links) await get(link, 1, 2)
  expect(reads).toHaveLength(300)
  await get('another', 1, 2)
  await get('link 0', 1, 2)
  expect(reads).toHaveLength(302)
})

test('a read that fails is repeated for the next one', async () => {
  const { get, reads } = counted({ view: 10, all: 100, links: 10 })
  await expect(get('a', 1, -1)).rejects.toThrow('not read')
  expect(await get('a', 1, 1)).toBe('x')
  expect(reads).toEqual(['a', 'a'])
})
