/** Reads at the same time: who shares a request, and who must not. */
import { expect, test } from 'vitest'
import { api } from '#contract/index.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { Deployments } from '#node/upstream/deployments.ts'
import { createEgress } from '#node/upstream/egressGuard.ts'
import { defaultDeadlines, Upstream, type RawReply } from '#node/upstream/upstream.ts'
import { credential, type UpstreamTarget } from '#node/upstream/upstreamTarget.ts'

/** A deployment that answers with the key of the request, once it is told to. */
class Held extends Upstream {
  sent = 0
  release = () => {}
  readonly #released = new Promise<void>((resolve) => (this.release = resolve))

  constructor() {
    super(createEgress(defaultDeadlines))
  }

  override async send({ authorization }: UpstreamTarget): Promise<RawReply> {
    this.sent++
    await this.#released
    const headers = { 'content-type': 'application/json' }
    return { status: 200, headers, text: JSON.stringify({ data: [{ id: authorization }], meta: { total: 1 } }) }
  }
}

const target = (connectionId: string, revision: string, accessKey: string): UpstreamTarget => ({
  connectionId,
  revision,
  variant: 'openSource',
  baseUrl: 'http://deployment.example',
  names: namingProfiles.neutral,
  readOnly: false,
  allowPrivate: true,
  ...credential('openSource', { accessKey }),
})

test('equal reads share a request, but not with another connection or the former key of their own', async () => {
  const upstream = new Held()
  const deployments = new Deployments(upstream)
  const read = (of: UpstreamTarget) =>
    deployments.read(of, { endpoint: api.alerts.list, path: '/api/v2/alerts', priority: 'user' })
  const former = target('one', '1', 'former')
  const reads = [read(former), read(former), read(target('one', '2', 'present')), read(target('two', '1', 'other'))]
  await expect.poll(() => upstream.sent).toBe(3)
  upstream.release()
  expect((await Promise.all(reads)).map(({ result }) => result)).toEqual(
    ['former', 'former', 'present', 'other'].map((key) => [{ id: `Bearer ${key}` }]),
  )
  expect(upstream.sent).toBe(3)
})
