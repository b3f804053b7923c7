import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import { Bindings } from '../bindings.ts'
import type { Engine } from '../engine/engine.ts'
import type { Value } from '../fieldExpressions.ts'
import { piecesSql, wordsSql } from './textMatch.ts'

let engine: Engine
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())

type Condition = (sql: string, bindings: Bindings) => string

const textValue = (sql: string): Value => ({ sql, type: { kind: 'text' } })

/** Which texts satisfy which condition, in one statement. */
async function matching(pairs: readonly (readonly [text: string, condition: Condition])[]): Promise<boolean[]> {
  const bindings = new Bindings()
  const figures = pairs.map(([text, condition]) => condition(bindings.bind(text, 'String'), bindings))
  const [row] = await engine.query<{ found: number[] }>(`SELECT [${figures.join(', ')}] AS found`, {
    params: bindings.params,
  })
  return (row?.found ?? []).map(Boolean)
}

const words =
  (wanted: string): Condition =>
  (sql, bindings) =>
    wordsSql(textValue(sql), wanted, bindings)
const within =
  (...pieces: string[]): Condition =>
  (sql, bindings) =>
    piecesSql(textValue(sql), pieces, bindings)

describe('words, in any case', () => {
  test.each([
    ['Ошибка соединения', 'ОШИБКА'],
    ['ΟΔΟΣ', 'οδος'],
    ['η οδός', 'ΟΔΌΣ'],
    ['École fermée', 'éCOLE FERMÉE'],
    ['STRAẞE', 'straße'],
    ['ა', 'Ა'],
    ['aȺb', 'Aⱥb'],
    ['нет «связи»', 'связи'],
    ['数据库连接失败了', '连接失败'],
    ['ошибка—сбой', 'сбой'],
    ['a 😀 b', '😀'],
    ['ключ=значение', 'КЛЮЧ=ЗНАЧЕНИЕ'],
    ['Connection refused', 'connection REFUSED'],
    ['«Connection» …refused…', 'REFUSED'],
    ['Verbindung “refused”', 'refused'],
    ['a — “connection refused” — b', 'connection refused'],
    ['→/cart/1…', '/cart/1'],
    ['接続refusedエラー', 'refused'],
    ['失败связи', 'СВЯЗИ'],
  ])('%s has %s', async (text, wanted) => {
    expect(await matching([[text, words(wanted)]])).toEqual([true])
  })

  test.each([
    ['Ошибками', 'ошибка'],
    ['безошибка', 'ошибка'],
    ['École', 'ecole'],
    ['refusedly', 'refused'],
    ['…refusedly…', 'refused'],
    ['cafés', 'caf'],
  ])('%s does not have the whole word %s', async (text, wanted) => {
    expect(await matching([[text, words(wanted)]])).toEqual([false])
  })
})

describe('pieces with anything between them', () => {
  test.each([
    ['Ошибка\nсоединения', ['ошибка', ''], true],
    ['Ошибка соединения', ['соединения', ''], false],
    ['Ошибка соединения', ['', 'СОЕДИНЕНИЯ'], true],
    ['Ошибка соединения', ['оши', 'ния'], true],
    ['Ошибка соединения', ['оши', 'нияx'], false],
    ['ошибка (a+b)', ['', 'ОШИБКА (A+B)', ''], true],
    ['ошибка ab', ['', 'ошибка (a+b)', ''], false],
    ['é%_\\', ['É%_\\'], true],
    ['éa', ['é_'], false],
  ])('%j with %j: %s', async (text, pieces, expected) => {
    expect(await matching([[text, within(...pieces)]])).toEqual([expected])
  })
})

test('a text is found in itself and in the case of the other, whatever its characters are', async () => {
  // Where a letter of one case is one letter of the other, as in most scripts.
  const letter = fc.constantFrom(...'abzАБЯабяΑΩαωςσÉéÑñÇçŁłŞşԱաȺⱥ.*+?()[]{}|^$\\/-%_ "\'').map(String)
  const text = fc.string({ unit: letter, minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 20, maxLength: 20 }), async (texts) => {
      const pairs = texts.flatMap((one) => [
        [`… ${one} …`, within('', one.toUpperCase(), '')] as const,
        [one.toUpperCase(), within('', one, '')] as const,
        [one, within(one.toLowerCase())] as const,
        [`${one}ж`, within(one)] as const,
      ])
      const found = await matching(pairs)
      texts.forEach((one, at) => expect(found.slice(at * 4, at * 4 + 4), one).toEqual([true, true, true, false]))
    }),
    { numRuns: 15 },
  )
})

test('any characters at all can be looked for', async () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 20, maxLength: 20 }), async (texts) => {
      const found = await matching(texts.map((one) => [one, within('', one, '')] as const))
      texts.forEach((one, at) => expect(found[at], JSON.stringify(one)).toBe(true))
    }),
    { numRuns: 15 },
  )
})

test('a long text is no problem for the regular expressions', async () => {
  const long = 'Ошибка соединения. '.repeat(420)
  expect(await matching([[long, words(long)]])).toEqual([true])
})
