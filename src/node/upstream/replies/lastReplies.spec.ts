/** Lists that have not changed are the same objects. */
import { expect, test } from 'vitest'
import { LastReplies } from './lastReplies.ts'

const rows = (name: string) =>
  Array.from({ length: 40 }, (_, at) => ({ id: String(at), name: `${name} of a long list` }))
const textOf = (requestId: string, name: string) => JSON.stringify({ status: 200, requestId, result: rows(name) })

interface Read {
  result: unknown
  total: number
  took?: number
}

function reader() {
  const replies = new LastReplies<Read>()
  let opened = 0
  const read = (key: string, text: string, status = 200) =>
    replies.resultOf(key, { status, text, took: text.length }, () => {
      opened++
      // The envelope of the test.
      return { result: (JSON.parse(text) as { result: unknown }).result, total: 40, took: text.length }
    })
  return { read, opened: () => opened }
}

test('a list with the same text keeps its rows and is not read again, whatever the ID of the request', () => {
  const { read, opened } = reader()
  const first = read('a', textOf('one', 'Shop'))
  const second = read('a', textOf('request-two', 'Shop'))
  expect(second.result).toBe(first.result)
  expect(second).toMatchObject({ total: 40, took: textOf('request-two', 'Shop').length })
  expect(opened()).toBe(1)
})

test('another text, another key and a failure are read', () => {
  const { read, opened } = reader()
  const first = read('a', textOf('one', 'Shop'))
  expect(read('b', textOf('one', 'Shop')).result).not.toBe(first.result)
  expect(read('a', textOf('one', 'Carts')).result).toEqual(rows('Carts'))
  expect(read('a', textOf('one', 'Carts'), 500).result).toEqual(rows('Carts'))
  expect(opened()).toBe(4)
})

test('an ID of a request within a record is part of the list', () => {
  const { read } = reader()
  const withId = (requestId: string) => JSON.stringify({ result: rows('Shop').map((row) => ({ ...row, requestId })) })
  read('a', withId('one'))
  expect(read('a', withId('two')).result).toContainEqual({ ...rows('Shop')[0], requestId: 'two' })
})
