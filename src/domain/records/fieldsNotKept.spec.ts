import { expect, test } from 'vitest'
import { missingPaths } from './fieldsNotKept.ts'

test.each<[object, object, string[]]>([
  [{ name: 'a', note: 'b' }, { name: 'a', id: '1' }, ['note']],
  [{ name: 'a', note: '', tags: [], at: null, on: false, extra: {} }, { name: 'a' }, []],
  [
    { channels: [{ type: 'w', severity: 'high' }, { type: 'e' }] },
    { channels: [{ type: 'w' }] },
    ['channels.0.severity', 'channels.1'],
  ],
  [{ config: { a: { b: 1 } } }, { config: {} }, ['config']],
  [{ config: { a: { b: 1 }, c: 2 } }, { config: { c: 2 } }, ['config.a']],
  // Lists that come back in another order.
  [
    { endpoints: [{ protocol: 'mysql', enabled: true }] },
    {
      endpoints: [
        { protocol: 'https', port: 1 },
        { protocol: 'mysql', enabled: true },
      ],
    },
    [],
  ],
  [
    { access: [{ source: 'a', note: 'x' }, { source: 'b' }] },
    { access: [{ source: 'b', note: 'y' }, { source: 'a' }] },
    ['access.0.note'],
  ],
  // One that is gone is not found in another that resembles it.
  [
    {
      access: [
        { source: 'a', note: 'office' },
        { source: 'b', note: 'office' },
      ],
    },
    { access: [{ source: 'a', note: 'office' }] },
    ['access.1'],
  ],
  [
    { access: [{ source: 'a' }, { source: 'b', note: 'office' }] },
    { access: [{ source: 'b', note: 'office' }] },
    ['access.0'],
  ],
  // Another value is kept, in the form of the deployment.
  [{ at: '2026-01-01T00:00:00Z', count: 0 }, { at: '2026-01-01T00:00:00.000Z', count: 0 }, []],
])('of %j in %j', (sent, stored, paths) => {
  expect(missingPaths(sent, stored)).toEqual(paths)
})
