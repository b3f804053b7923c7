import { assert, constantFrom, property, record, string, uniqueArray } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { accessChange, isAnywhere, type AccessEntry } from './accessList.ts'
import { accessWarnings, contains } from './accessWarnings.ts'

/** As deployments apply it: removals by source first, then additions. */
function apply(list: readonly AccessEntry[], change: ReturnType<typeof accessChange>): AccessEntry[] {
  const removed = new Set(change?.remove?.map(({ source }) => source))
  const kept = list.filter(({ source }) => !removed.has(source))
  return [...kept, ...(change?.add ?? []).map(({ source, description = '' }) => ({ source, description }))]
}

const entry = record({ source: constantFrom('a', 'b', 'c', 'd', 'e', 'f'), description: constantFrom('', 'x', 'y') })
const list = uniqueArray(entry, { selector: ({ source }) => source })
const sorted = (entries: readonly AccessEntry[]) => entries.toSorted((a, b) => a.source.localeCompare(b.source))

test('the request turns the list into the edited list', () => {
  assert(
    property(list, list, (base, edited) => {
      expect(sorted(apply(base, accessChange(base, edited, base)))).toEqual(sorted(edited))
    }),
  )
})

test('nothing is sent without edits, or twice', () => {
  assert(
    property(list, list, list, (base, edited, latest) => {
      expect(accessChange(base, base, latest)).toBeUndefined()
      const after = apply(latest, accessChange(base, edited, latest))
      expect(accessChange(base, edited, after)).toBeUndefined()
    }),
  )
})

test('changes by others are kept', () => {
  assert(
    property(list, list, list, (base, edited, latest) => {
      const touched = new Set([...base, ...edited].map(({ source }) => source))
      const theirs = latest.filter(({ source }) => !touched.has(source))
      expect(apply(latest, accessChange(base, edited, latest))).toEqual(expect.arrayContaining(theirs))
    }),
  )
})

describe('addresses', () => {
  it.each([
    ['10.0.0.0/8', '10.9.8.7', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['2001:db8::/32', '2001:db8::1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['nonsense', '10.0.0.1', false],
    ['10.0.0.0/8', 'nonsense', false],
  ])('%s holds %s: %s', (source, address, is) => {
    expect(contains(source, address)).toBe(is)
  })

  it('never fails on any text', () => {
    assert(
      property(string(), string(), (source, address) => {
        expect(typeof contains(source, address)).toBe('boolean')
      }),
    )
    expect(['0.0.0.0/0', '::/0', '10.0.0.0/10'].map(isAnywhere)).toEqual([true, true, false])
  })
})

describe('warnings', () => {
  const office = { source: '10.0.0.0/8', description: 'office' }
  const open = { source: '0.0.0.0/0', description: '' }

  it('report access from anywhere only when it is added', () => {
    expect(accessWarnings([office], [office, open], '')[0]).toContain('any IP address')
    expect(accessWarnings([office, open], [office, open], '')).toEqual([])
  })

  it('warn about locking oneself out', () => {
    expect(accessWarnings([office, open], [open], '10.1.1.1')).toEqual([])
    expect(accessWarnings([office], [{ ...office, source: '192.0.2.0/24' }], '10.1.1.1')[0]).toContain('10.1.1.1')
    expect(accessWarnings([office, open], [office], '')[0]).toContain('lock yourself out')
    expect(accessWarnings([office], [], '')[0]).toContain('nobody')
  })

  it('are none for an unchanged list, whatever is in it', () => {
    assert(
      property(list, (entries) => {
        expect(accessWarnings(entries, entries, '')).toEqual([])
      }),
    )
  })
})
