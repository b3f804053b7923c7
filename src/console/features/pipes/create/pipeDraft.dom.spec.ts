import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { emptyForm, type PipeForm } from '../forms/pipeForm.ts'
import { keepPipeDraft, readPipeDraft } from './pipeDraft.ts'

beforeEach(() => localStorage.clear())

/** Puts a text into every text of a form. */
function filled(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text
  if (Array.isArray(value)) return value.map((one) => filled(one, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, filled(part, text)]))
}

test('keeps what was entered, and none of the secrets', () => {
  const form = emptyForm('s1')
  form.kind = 'kafka'
  form.source.kafka = { ...form.source.kafka, brokers: 'broker:9092', topics: 'orders' }
  form.source.kafka.credentials = { ...form.source.kafka.credentials, password: 'hush', connectionString: 'hush' }
  form.source.objectStorage = { ...form.source.objectStorage, url: 'https://AKIA:abc/hush@host/a' }
  form.source.kafka.brokers = 'broker:9092, user:hush@broker:9092'
  form.source.kinesis = { ...form.source.kinesis, streamName: 'clicks' }
  form.source.postgres = {
    ...form.source.postgres,
    host: 'postgres://u:hush@db/shop',
    credentials: { username: 'reader', password: 'hush' },
  }
  form.destination.columns = [{ source: 'a', name: 'b', type: 'String' }]
  keepPipeDraft('c', form, 5)
  expect(JSON.stringify(localStorage)).not.toContain('hush')
  const draft = readPipeDraft('c')
  expect(draft?.at).toBe(5)
  expect(draft?.form).toMatchObject({
    kind: 'kafka',
    serviceId: 's1',
    source: { kafka: { brokers: '', topics: 'orders' }, kinesis: { streamName: 'clicks' }, objectStorage: { url: '' } },
    destination: { columns: [{ source: 'a', name: 'b', type: 'String' }] },
  })
})

test('every field whose name says that it is secret is empty in the draft', () => {
  keepPipeDraft('c', filled(emptyForm('s'), 'typed') as PipeForm, 1) // only texts were changed
  const stored = JSON.stringify(localStorage)
  const secrets = /"(password|secretKey|accessKeyId|connectionString|privateKey)\\?":\\?"typed/.exec(stored)
  expect(secrets).toBeNull()
})

test('whatever is stored, the draft is a form', () => {
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? 'list'
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shape(part)]))
        : value === null || typeof value === 'number'
          ? 'number'
          : typeof value
  const expected = shape(emptyForm(''))
  fc.assert(
    fc.property(fc.jsonValue(), (more) => {
      const form = { ...(typeof more === 'object' ? more : {}), kind: 'kafka' }
      localStorage.setItem('stack-console.pipe-draft/c', JSON.stringify({ form, at: 1 }))
      expect(shape(readPipeDraft('c')?.form)).toEqual(expected)
    }),
  )
  localStorage.setItem('stack-console.pipe-draft/c', '{"form":{"kind":"carrier pigeon"},"at":1}')
  expect(readPipeDraft('c')).toBeNull()
  localStorage.setItem('stack-console.pipe-draft/c', '{')
  expect(readPipeDraft('c')).toBeNull()
})
