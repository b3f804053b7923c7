import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { VaultError } from '#node/secrets/vault.ts'
import { openTestHistory } from '../testing/testHistory.ts'
import { SealedJson } from './sealedJson.ts'

const sealed = new SealedJson(randomBytes(32))
const text = JSON.stringify({ name: 'Hook', url: 'https://hooks.example/a-secret-of-the-test' })
const similar = text.replace('Hook', 'Other hook')

test('any text is opened as it was, with and without a dictionary', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string(), { nil: undefined }), (one, dictionary) => {
      expect(sealed.openText('here', sealed.sealText('here', one, dictionary), dictionary)).toBe(one)
    }),
  )
})

test('another key, context or dictionary is refused, and so is a changed bit', () => {
  const bytes = sealed.sealText('here', text)
  const refused = (open: () => unknown) => expect(open).toThrow(VaultError)
  refused(() => new SealedJson(randomBytes(32)).openText('here', bytes))
  refused(() => sealed.openText('there', bytes))
  refused(() => sealed.openText('here', bytes, similar))
  refused(() => sealed.openText('here', sealed.sealText('here', text, similar)))
  refused(() => sealed.openText('here', sealed.sealText('here', text, similar), similar.replace('hooks', 'books')))
  for (const at of [0, 12, bytes.length - 1]) {
    refused(() => sealed.openText('here', Buffer.from(bytes).fill((bytes[at] ?? 0) ^ 1, at, at + 1)))
  }
  refused(() => sealed.openText('here', bytes.subarray(0, 20)))
})

test('the same text is never the same bytes, and has none of its words', () => {
  const [one, two] = [sealed.sealText('here', text), sealed.sealText('here', text)]
  expect(Buffer.from(one).equals(Buffer.from(two))).toBe(false)
  expect(Buffer.from(one).toString('latin1')).not.toContain('secret')
})

test('secrets of records are not readable in the files, and only the data key opens them', async () => {
  const history = await openTestHistory()
  const board = { id: 'one', name: 'Board', note: 'a-secret-of-the-test', tiles: [] }
  await history.listed([board])
  await history.listed([{ ...board, note: 'another-secret-of-the-test' }])
  const end = await history.begin('Board a-secret-of-a-body', 'one')
  expect(await history.bytes()).toContain('deployment.example')
  expect(await history.bytes()).not.toMatch(/(a|another)-secret-of-the-test/)
  await end?.({ result: { ...board, note: 'a-third-secret' } })
  expect(await history.bytes()).not.toContain('a-third-secret')
  const version = (await history.known()).get('one')?.hash ?? ''
  expect(await history.versions.read(version)).toMatchObject({ note: 'a-third-secret' })
  const thief = await openTestHistory(history.folder)
  await expect(thief.versions.read(version)).rejects.toMatchObject({
    name: 'DamagedRow',
    cause: expect.any(VaultError),
  })
  await thief.database.close()
  await history.close()
})
