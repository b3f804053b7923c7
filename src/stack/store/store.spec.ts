import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { collection } from './collection.ts'
import { readSetting, writeSetting } from './settings.ts'
import { openStore, type Store } from './store.ts'
import { StoreError } from './storeError.ts'

/** A libSQL server for these tests alone: they empty it. */
const server = process.env['TEST_DATABASE_URL']

let folder: string
let file: string
let store: Store

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store test-'))
  file = join(folder, 'a', 'stack.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const targets = [
  { where: 'in a file', skip: false, open: () => openStore({ file }) },
  {
    where: server ? 'on a libSQL server' : 'on a libSQL server (set TEST_DATABASE_URL)',
    skip: !server,
    open: () => openStore({ url: server ?? '' }),
  },
]

async function emptyServer(url: string): Promise<void> {
  const client = createClient({ url })
  const { rows } = await client.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'libsql%'",
  )
  await client.batch(rows.map(({ name }) => `DROP TABLE "${String(name)}"`))
  client.close()
}

const things = collection<{ id: string; name: string }>('webhooks')
const thing = (id: string) => ({ id, name: `name of ${id}` })

for (const { where, skip, open } of targets)
  describe.skipIf(skip)(`records ${where}`, () => {
    beforeEach(async () => {
      if (server) await emptyServer(server)
      store = await open()
    })
    afterEach(() => store.close())

    describe('a write', () => {
      test('is kept as a whole, or not at all', async () => {
        await expect(
          store.write(async (transaction) => {
            await things.insert(transaction, thing('a'))
            throw new Error('no')
          }),
        ).rejects.toThrow('no')
        expect(await things.count(store)).toBe(0)
        await store.write((transaction) => things.insert(transaction, thing('b')))
        expect(await things.all(store)).toEqual([thing('b')])
      })

      test('waits for the writes before it, and sees what they did', async () => {
        const seen: number[] = []
        const write = (id: string) =>
          store.write(async (transaction) => {
            seen.push(await things.count(transaction))
            await delay(5)
            await things.insert(transaction, thing(id))
          })
        await Promise.all(['a', 'b', 'c', 'd'].map(write))
        expect(seen).toEqual([0, 1, 2, 3])
      })

      test('that fails does not stop the ones after it', async () => {
        const failing = store.write((transaction) => transaction.run('NOT SQL'))
        const next = store.write((transaction) => things.insert(transaction, thing('a')))
        await expect(failing).rejects.toThrow()
        await next
        expect(await things.count(store)).toBe(1)
      })

      test('under way is not seen by a reader', async () => {
        let release = () => {}
        const held = new Promise<void>((resolve) => (release = resolve))
        const write = store.write(async (transaction) => {
          await things.insert(transaction, thing('a'))
          await held
        })
        await delay(20)
        expect(await things.count(store)).toBe(0)
        release()
        await write
        expect(await things.count(store)).toBe(1)
      })
    })

    describe('a collection', () => {
      test('is in the order of creation, page by page', async () => {
        for (const id of ['c', 'a', 'b']) await things.insert(store, thing(id))
        await things.update(store, { id: 'c', name: 'later' })
        expect((await things.all(store)).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
        expect((await things.list(store, { limit: 1, offset: 1 })).text).toBe(JSON.stringify([thing('a')]))
        expect((await things.list(store, { limit: 5, offset: 9 })).text).toBe('[]')
        expect(await things.get(store, 'c')).toEqual({ id: 'c', name: 'later' })
      })

      test('knows what is not there', async () => {
        expect(await things.get(store, 'a')).toBeUndefined()
        expect(await things.delete(store, 'a')).toBe(false)
        await things.insert(store, thing('a'))
        expect(await things.delete(store, 'a')).toBe(true)
      })

      test('never takes a value for a statement', async () => {
        const id = `'); DROP TABLE webhooks; --`
        await things.insert(store, thing(id))
        expect(await things.get(store, id)).toEqual(thing(id))
      })
    })

    test('everything is there after opening again', async () => {
      await writeSetting(store, 'x', { a: [1] })
      await writeSetting(store, 'x', { a: [2] })
      store.close()
      store = await open()
      expect(await readSetting(store, 'x', z.object({ a: z.array(z.number()) }))).toEqual({ a: [2] })
      expect(await readSetting(store, 'y', z.unknown())).toBeUndefined()
    })

    test('what a newer version has written is left alone', async () => {
      await store.run('INSERT INTO migrations VALUES (999)')
      store.close()
      await expect(open()).rejects.toThrow('newer version')
    })
  })

test('a file is for this user alone', async () => {
  store = await openStore({ file })
  expect((await stat(file)).mode & 0o077).toBe(0)
  store.close()
})

test('a file by its address is a file', async () => {
  store = await openStore({ url: pathToFileURL(file).href })
  expect((await stat(file)).mode & 0o077).toBe(0)
  store.close()
})

test('a file that is none of ours is refused in a line', async () => {
  await mkdir(join(folder, 'a'))
  await writeFile(file, 'a letter to a friend, and nothing else '.repeat(100))
  await expect(openStore({ file })).rejects.toThrow('stack.db in DATA_DIR cannot be opened (SQLITE_NOTADB)')
})

/** A server of HTTP for the time of `work`. */
async function whileServing<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const front = createServer(listener).listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo // a listening TCP server has one
  try {
    return await work(`http://127.0.0.1:${port}`)
  } finally {
    front.closeAllConnections()
    front.close()
  }
}

describe('a libSQL server that is out of reach', () => {
  const opened = (url: string) => openStore({ url: `${url}/?authToken=secret-of-the-server` })

  test('is told in a line without its address', async () => {
    const gone = await whileServing(
      () => {},
      async (url) => url,
    )
    await expect(opened(gone)).rejects.toThrow(
      new StoreError('refused', 'The libSQL server of DATABASE_URL does not answer (ECONNREFUSED).'),
    )
  })

  test('that refuses the key is told as that', async () => {
    const refusing: RequestListener = (_, response) => response.writeHead(401).end()
    await expect(whileServing(refusing, opened)).rejects.toThrow(
      new StoreError('refused', 'The libSQL server of DATABASE_URL did not answer as one (HTTP status 401).'),
    )
  })

  test.skipIf(!server)('loses what it did not commit, and leaves open what it may have committed', async () => {
    await emptyServer(server ?? '')
    let lost = ''
    const cutting: RequestListener = async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer) // a request is read in buffers
      const body = Buffer.concat(chunks)
      const { method = 'GET', url = '/' } = request
      const answer = await fetch(`${server}${url}`, {
        method,
        headers: { 'content-type': request.headers['content-type'] ?? '' },
        ...(body.length > 0 && { body }),
      })
      if (lost && body.includes(lost)) response.destroy()
      else response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
    }
    await whileServing(cutting, async (url) => {
      const store = await openStore({ url })
      const write = (id: string) => store.write((transaction) => things.insert(transaction, thing(id)))
      lost = 'INSERT'
      await expect(write('a')).rejects.toMatchObject({ name: 'StoreError', outcome: 'refused' })
      lost = 'COMMIT'
      await expect(write('b')).rejects.toMatchObject({ name: 'StoreError', outcome: 'unknown' })
      lost = ''
      await write('c')
      expect((await things.all(store)).map(({ id }) => id)).toEqual(['b', 'c'])
      store.close()
    })
  })
})
