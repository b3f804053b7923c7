import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../store/store.ts'
import { keyUses, writeKeyUse } from './keyRows.ts'

const now = Date.UTC(2026, 2, 2, 10)
const minute = 60_000

test('the last use stays the newest one, and one that lies ahead is replaced', async () => {
  const store = await openStore({ file: join(mkdtempSync(join(tmpdir(), 'key-uses-')), 'stack.db') })
  const usedAt = async () => Date.parse((await keyUses(store)).get('key') ?? '')
  try {
    await writeKeyUse(store, 'key', now)
    // Another stack notes a use that is a moment later.
    await writeKeyUse(store, 'key', now - minute)
    expect(await usedAt()).toBe(now)
    await writeKeyUse(store, 'key', now + 360 * minute)
    // The clock was set back.
    await writeKeyUse(store, 'key', now + minute)
    expect(await usedAt()).toBe(now + minute)
  } finally {
    await store.close()
  }
})
