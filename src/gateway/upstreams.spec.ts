/** Requests to the stack of this server while it starts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { namingProfiles } from '#contract/wire/naming.ts'
import { credential, type UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { startUpstream, type TestUpstream } from './testing/testGateway.ts'
import { openUpstreams, type OpenUpstreams } from './upstreams.ts'

let stack: TestUpstream
let other: TestUpstream
let started: () => void
let upstreams: OpenUpstreams

beforeAll(async () => {
  stack = await startUpstream()
  other = await startUpstream()
  const stackReady = new Promise<void>((resolve) => (started = resolve))
  upstreams = openUpstreams({ stackUrl: stack.url, stackReady })
  return () => upstreams.egress.close()
})
afterAll(() => Promise.all([stack.close(), other.close()]))

const target = ({ url }: TestUpstream): UpstreamTarget => ({
  connectionId: 'one',
  revision: '1',
  variant: 'openSource',
  baseUrl: url,
  names: namingProfiles.neutral,
  readOnly: false,
  allowPrivate: true,
  ...credential('openSource', { accessKey: 'key' }),
})
const read = (of: TestUpstream, signal?: AbortSignal) =>
  upstreams.upstream.send(target(of), { method: 'GET', format: 'json', path: '/api/v2/alerts', signal })

test('wait until it listens, unless their caller has left, and hold up no others', async () => {
  const waiting = read(stack)
  const leaving = new AbortController()
  const left = read(stack, leaving.signal)
  expect(await read(other)).toMatchObject({ status: 200 })
  expect(stack.hits).toEqual([])
  leaving.abort(new Error('left'))
  started()
  await expect(left).rejects.toThrow('left')
  expect(await waiting).toMatchObject({ status: 200 })
  expect(stack.hits).toHaveLength(1)
})
