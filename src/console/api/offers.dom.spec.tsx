import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { sources } from '#contract/stack/sources.ts'
import { alerts } from '#contract/stack/alerts.ts'
import { webhooks } from '#contract/stack/webhooks.ts'
import { useFeatureOffer } from './offers/useFeatureOffer.ts'
import {
  forgetOffers,
  isOffered,
  recordOffer,
  recordOrigin,
  useChangesOffer,
  useOffer,
  whyUnchangeable,
} from './offers/offers.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** The results of the hooks for a new connection after some responses. */
function offersAfter(variant: 'openSource' | 'managed', answers: [keyof typeof sources, 'offered' | 'notOffered'][]) {
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

test('a missing operation beyond the specification does not hide the list', () => {
  expect(offersAfter('openSource', [['delete', 'notOffered']])).toMatchObject({
    list: true,
    changes: false,
    reason: expect.stringMatching(/^List only/),
  })
})

test('reading one record shows if writes are offered; a write that was tried overrides that', () => {
  expect(offersAfter('openSource', []).changes).toBe(true)
  expect(offersAfter('managed', []).changes).toBe(false)
  expect(offersAfter('managed', [['list', 'offered']]).changes).toBe(false)
  expect(offersAfter('managed', [['get', 'offered']]).changes).toBe(true)
  expect(offersAfter('openSource', [['get', 'notOffered']]).changes).toBe(false)
  const both = offersAfter('managed', [
    ['update', 'notOffered'],
    ['get', 'offered'],
  ])
  expect(both.changes).toBe(false)
})

test('before any request, the reason is that of the variant', () => {
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

test('under the product’s names, the managed variant has webhooks until the deployment says otherwise', () => {
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

test('a missing feature does not hide the other changes of its resource', () => {
  const deployment = { id: crypto.randomUUID(), variant: 'openSource' as const, naming: 'neutral' as const }
  recordOffer(deployment.id, webhooks.test, 'notOffered')
  expect(whyUnchangeable(deployment, 'webhooks', webhooks.update.variants)).toBeUndefined()
  function Probe() {
    return `${useFeatureOffer(deployment, webhooks.test)},${useFeatureOffer(deployment, webhooks.list)}`
  }
  const container = document.createElement('div')
  const root = createRoot(container)
  act(() => root.render(<Probe />))
  expect(container.textContent).toBe('false,true')
  act(() => root.unmount())
})

/** Whether a deployment has features, as components see it. */
function featuresOf(id: string, ...operations: Parameters<typeof useFeatureOffer>[1][]): boolean[] {
  function Probe({ operation }: { operation: (typeof operations)[number] }) {
    return useFeatureOffer({ id }, operation) ? 'true ' : 'false '
  }
  const container = document.createElement('div')
  const root = createRoot(container)
  act(() => root.render(operations.map((operation) => <Probe key={operation.feature} operation={operation} />)))
  const known = container.textContent.trim().split(' ')
  act(() => root.unmount())
  return known.map((answer) => answer === 'true')
}

test('offers of writes follow from the responses to reads, because asking would change something', () => {
  const id = crypto.randomUUID()
  const all = [alerts.silence, alerts.pause, webhooks.test] as const
  expect(featuresOf(id, ...all)).toEqual([true, true, true])
  recordOffer(id, alerts.evaluations, 'notOffered')
  expect(featuresOf(id, ...all)).toEqual([false, false, true])
  recordOffer(id, alerts.evaluationStatus, 'notOffered')
  expect(featuresOf(id, ...all)).toEqual([false, false, false])
  recordOffer(id, alerts.silence, 'offered')
  expect(featuresOf(id, ...all)).toEqual([true, false, false])
})

test('what a tool reads in place of the API is offered, and what comes with it in the API is not', () => {
  const id = crypto.randomUUID()
  recordOrigin(id, alerts.evaluations, 'From elsewhere.')
  expect(featuresOf(id, alerts.evaluations, alerts.history, alerts.silence)).toEqual([true, false, false])
  recordOffer(id, alerts.history, 'notOffered')
  expect(featuresOf(id, alerts.evaluations)).toEqual([true])
})

test('a missing feature is known to the next page for the day, or until the connection changes', async () => {
  const id = crypto.randomUUID()
  recordOffer(id, alerts.deliveries, 'notOffered')
  recordOffer(id, webhooks.list, 'notOffered')
  const nextPage = async () => {
    vi.resetModules()
    await import('./offers/useFeatureOffer.ts')
    const { answers, isOffered } = await import('./offers/offers.ts')
    const lists = isOffered({ id, variant: 'openSource', naming: 'neutral' }, 'webhooks', webhooks.list.variants)
    return { missing: Object.keys(answers.state).filter((key) => key.startsWith(id)), lists }
  }
  // A whole resource is asked for again: its pages would be closed.
  expect(await nextPage()).toEqual({ missing: [`${id}/alerts deliveries`], lists: true })
  vi.useFakeTimers({ now: Date.now() + 25 * 3_600_000 })
  expect((await nextPage()).missing).toEqual([])
  vi.useRealTimers()
  forgetOffers(id)
  expect((await nextPage()).missing).toEqual([])
  expect(featuresOf(id, alerts.deliveries)).toEqual([true])
})
