// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { sources } from '#contract/sources.ts'
import { webhooks } from '#contract/webhooks.ts'
import { isOffered, recordOffer, useChangesOffer, useOffer, whyUnchangeable } from './offers.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** What the hooks say for a connection of its own, after some answers. */
function asked(variant: 'openSource' | 'managed', answers: [keyof typeof sources, 'offered' | 'notOffered'][]) {
  const connection = { id: crypto.randomUUID(), variant, naming: 'neutral' as const }
  for (const [verb, answer] of answers) recordOffer(connection.id, sources[verb], answer)
  function Probe() {
    const list = useOffer(connection, 'sources', sources.list.variants).offered
    const { offered: changes, reason } = useChangesOffer(connection, 'sources', sources.update.variants)
    return JSON.stringify({ list, changes, reason })
  }
  const container = document.createElement('div')
  const root = createRoot(container)
  act(() => root.render(<Probe />))
  const known: { list: boolean; changes: boolean; reason?: string } = JSON.parse(container.textContent)
  act(() => root.unmount())
  return known
}

test('an operation beyond the specification that is not there takes no list away', () => {
  expect(asked('openSource', [['delete', 'notOffered']])).toMatchObject({
    list: true,
    changes: false,
    reason: expect.stringMatching(/^List only/),
  })
})

test('the read of one item tells whether changes may be tried; a change that was tried tells better', () => {
  expect(asked('openSource', []).changes).toBe(true)
  expect(asked('managed', []).changes).toBe(false)
  expect(asked('managed', [['list', 'offered']]).changes).toBe(false)
  expect(asked('managed', [['get', 'offered']]).changes).toBe(true)
  expect(asked('openSource', [['get', 'notOffered']]).changes).toBe(false)
  const both = asked('managed', [
    ['update', 'notOffered'],
    ['get', 'offered'],
  ])
  expect(both.changes).toBe(false)
})

test('before anybody asked, what the variant is known for is the reason', () => {
  const why = (id: string, variant: 'openSource' | 'managed') =>
    whyUnchangeable({ id, variant, naming: 'neutral' }, 'sources', sources.update.variants)
  const [fresh, known] = [crypto.randomUUID(), crypto.randomUUID()]
  expect(why(fresh, 'openSource')).toBeUndefined()
  expect(why(fresh, 'managed')).toBe('The managed API cannot change sources.')
  recordOffer(known, sources.get, 'offered')
  expect(why(known, 'managed')).toBeUndefined()
  recordOffer(known, sources.update, 'notOffered')
  expect(why(known, 'openSource')).toMatch(/^List only/)
})

test('the product’s own names say that the managed variant has webhooks, until the deployment says otherwise', () => {
  const named = (naming: 'neutral' | 'clickhouse') => ({ id: crypto.randomUUID(), variant: 'managed' as const, naming })
  const offers = (connection: ReturnType<typeof named>) =>
    isOffered(connection, 'webhooks', webhooks.list.variants) &&
    whyUnchangeable(connection, 'webhooks', webhooks.update.variants) === undefined
  expect(offers(named('neutral'))).toBe(false)
  const product = named('clickhouse')
  expect(offers(product)).toBe(true)
  recordOffer(product.id, webhooks.list, 'notOffered')
  expect(offers(product)).toBe(false)
  const found = named('neutral')
  recordOffer(found.id, webhooks.list, 'offered')
  expect(isOffered(found, 'webhooks', webhooks.list.variants)).toBe(true)
})
