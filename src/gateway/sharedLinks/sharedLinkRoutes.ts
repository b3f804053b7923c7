/** Links that show a dashboard to people without an account: their administration, and what they show. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { chartQuery } from '#contract/stack/charts.ts'
import { locationOf } from '#contract/console/deployments.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import { pathId } from '#contract/wire/kernel.ts'
import {
  sharedLinkInput,
  sharedLinkParams,
  sharedLinkPaths,
  sharedViewInput,
  type CreatedLink,
  type SharedLink,
} from '#contract/console/sharedLinks.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { RateWindows } from '#node/concurrency/rateWindows.ts'
import { failure, refusal } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Connections } from '../connections/connections.ts'
import { compressResponse } from '../http/compressedResponses.ts'
import { actorOf, parsed, routePath } from '../http/requests.ts'
import type { ToolReads } from '../deploymentTools/toolReads.ts'
import type { CurrentAccess } from '../identity/people/currentAccess.ts'
import { CachedViews } from './cachedViews.ts'
import { allowsLinks, problemOf, refuseSql } from './linkState.ts'
import { intervalOf, queriesOf, readSharedView, spanAt } from './sharedReads.ts'
import { shownStatements } from './sharedSql.ts'
import type { SharedLinkStore, StoredLink } from './sharedLinkStore.ts'

/** Views a minute: of one address, and of one link. A page asks about once a minute. */
export interface ViewLimits {
  address: number
  link: number
}

interface SharedLinkDependencies {
  store: SharedLinkStore
  connections: Connections
  deployments: Deployments
  toolReads: ToolReads
  currentAccess: CurrentAccess
  audit: AuditLog
  consoleUrl: () => string
  viewLimits?: ViewLimits | undefined
}

const connectionParams = z.object({ connectionId: pathId })
/** Bytes of the definition of a link. */
const maxBody = 2_000_000
/** Bytes of a request for a view. */
const maxViewBody = 1_024
/** Characters of a snapshot. */
const maxSnapshot = 4_000_000
/** Queries of a link. */
const maxQueries = 100
const defaultViewLimits: ViewLimits = { address: 600, link: 1_200 }
/** The numbers of views that are entered in the audit log. */
const enteredViews: readonly number[] = [1, 10, 100, 1_000, 10_000, 100_000]

const unknownLink = () => failure('notFound', 'This link does not exist.')
/** The error of a link that ended. It does not give the reason, which is not for everybody. */
const endedLink = () => refusal(410, 'This link is not valid any more.')

export function registerSharedLinks(app: FastifyInstance, dependencies: SharedLinkDependencies): void {
  const { viewLimits = defaultViewLimits } = dependencies
  const cachedViews = new CachedViews()
  const linkViews = new RateWindows()
  app.get(routePath(sharedLinkPaths.links), (request) => listLinks(dependencies, request))
  app.post(routePath(sharedLinkPaths.links), { bodyLimit: maxBody }, (request) => createLink(dependencies, request))
  app.delete(routePath(sharedLinkPaths.link), (request) => revokeLink(dependencies, cachedViews, request))
  const rateLimit = { max: viewLimits.address, timeWindow: 60_000, allowList: [] }
  app.post(
    sharedLinkPaths.view,
    { bodyLimit: maxViewBody, config: { rateLimit }, onSend: compressResponse },
    (request, reply) =>
      answerView(dependencies, cachedViews, request, (linkId) =>
        refuseTooMany(linkViews, linkId, viewLimits.link),
      ).then((text) => reply.type('application/json; charset=utf-8').send(text)),
  )
}

function listLinks(dependencies: SharedLinkDependencies, request: FastifyRequest): Promise<SharedLink[]> {
  const { connectionId } = parsed(connectionParams, request.params, 'The connection ID')
  return dependencies.store
    .of(connectionId)
    .then((links) => Promise.all(links.map(async (link) => shownOf(link, await problemOf(dependencies, link)))))
}

async function createLink(
  { store, connections, deployments, toolReads, audit, consoleUrl }: SharedLinkDependencies,
  request: FastifyRequest,
): Promise<CreatedLink> {
  const { connectionId } = parsed(connectionParams, request.params, 'The connection ID')
  const input = parsed(sharedLinkInput, request.body, 'The link')
  const target = connections.open(connectionId)
  if (!allowsLinks(connections, connectionId)) {
    throw failure(
      'forbidden',
      'Links for people without an account are off on this production deployment. An administrator can allow them in the settings of its connections.',
    )
  }
  refuseUnusable(input)
  refuseSql(connections, connectionId, request.access, input)
  const { name, range, snapshot: isSnapshot, content, days, dashboardId = null } = input
  const now = currentTime()
  const expiresAt = new Date(now + days * 86_400_000).toISOString()
  const shown = { id: 'new', name, range, isSnapshot, expiresAt, content }
  const read = isSnapshot ? await readSharedView({ deployments, toolReads }, target, shown, now) : undefined
  const result = read === undefined ? null : stringifyJson(read.view)
  if (result !== null && result.length > maxSnapshot) {
    throw failure('tooLarge', 'The results are too large to be kept. Share fewer tiles or a shorter range.')
  }
  const { link, token } = await store.create({
    connectionId,
    deployment: locationOf(target).deployment,
    by: request.access?.principal ?? null,
    creator: actorOf(request),
    name,
    dashboardId,
    range,
    isSnapshot,
    days,
    content,
    result,
  })
  for (const subject of shownStatements(content)) {
    await audit.noteEvent(request, { event: 'sql.share', connectionId, subject, reason: `In the public link ${name}.` })
  }
  return { ...shownOf(link), url: `${consoleUrl()}/shared#${token}`, unread: read?.unread ?? 0 }
}

async function revokeLink({ store }: SharedLinkDependencies, cachedViews: CachedViews, request: FastifyRequest) {
  const { connectionId, linkId } = parsed(sharedLinkParams, request.params, 'The ID of the link')
  const link = await store.find(connectionId, linkId)
  if (!link || link.revokedAt !== null) throw failure('notFound', 'This connection has no link with this ID.')
  await store.revoke(linkId)
  cachedViews.forget(linkId)
  request.auditAbout = { connectionId, subject: `${link.name}, opened ${link.views} times` }
  return {}
}

/** @returns the view as JSON. @throws notFound, or blocked with the status 410 for a link that has ended */
async function answerView(
  dependencies: SharedLinkDependencies,
  cachedViews: CachedViews,
  request: FastifyRequest,
  refuseMore: (linkId: string) => void,
): Promise<string> {
  const { token, opened } = parsed(sharedViewInput, request.body, 'The request')
  const link = await dependencies.store.byToken(token)
  if (!link) throw unknownLink()
  refuseMore(link.id)
  if ((await problemOf(dependencies, link)) !== undefined) throw endedLink()
  const text = await viewOf(dependencies, cachedViews, link)
  // The link may have ended while it was read.
  const now = await dependencies.store.byToken(token)
  if (!now || (await problemOf(dependencies, now)) !== undefined) throw endedLink()
  if (opened) await noteView(dependencies, link, request)
  return text
}

/** @throws invalid for queries that no deployment would answer, and for too many */
function refuseUnusable({ range, content }: z.output<typeof sharedLinkInput>): void {
  const queries = queriesOf(content, spanAt(range, currentTime()))
  if (queries.length > maxQueries) {
    throw failure(
      'invalid',
      `A link shows the results of at most ${maxQueries} queries, and these are ${queries.length}.`,
    )
  }
  for (const query of queries) if (query !== null) parsed(chartQuery, query, 'A query')
}

function refuseTooMany(windows: RateWindows, linkId: string, max: number): void {
  windows.incr(
    linkId,
    (_, counted) => {
      if ((counted?.current ?? 0) <= max) return
      throw failure('rateLimited', 'Too many people look at this link. Try again later.', {
        retryAfter: Math.ceil((counted?.ttl ?? 0) / 1_000),
      })
    },
    60_000,
  )
}

async function viewOf(
  { store, connections, deployments, toolReads }: SharedLinkDependencies,
  cachedViews: CachedViews,
  link: StoredLink,
): Promise<string> {
  const { id, range, isSnapshot } = link
  const now = currentTime()
  const interval = isSnapshot ? 0 : Math.floor(now / intervalOf(range))
  return cachedViews.get(id, String(interval), async () => {
    const stored = isSnapshot ? await store.resultOf(id) : undefined
    if (stored !== undefined) return stored
    const content = await store.contentOf(id)
    if (!content || isSnapshot) throw endedLink()
    const target = connections.open(link.connectionId)
    const { view } = await readSharedView({ deployments, toolReads }, target, { ...link, content }, now)
    return stringifyJson(view)
  })
}

/** Enters the first view and some later ones, so that the log shows how far a link got around without one entry for each. */
async function noteView(
  { store, audit }: SharedLinkDependencies,
  link: StoredLink,
  request: FastifyRequest,
): Promise<void> {
  const views = await store.noteView(link.id)
  if (!enteredViews.includes(views)) return
  await audit.noteEvent(request, {
    event: 'sharedLink.view',
    actor: 'somebody with the link',
    connectionId: link.connectionId,
    subject: link.name,
    reason: `Opened ${views === 1 ? 'for the first time' : `${views} times`}.`,
  })
}

function shownOf(link: StoredLink, problem?: string): SharedLink {
  const { id, name, dashboardId, range, isSnapshot, creator, createdAt, expiresAt, views, viewedAt } = link
  return {
    id,
    name,
    range,
    snapshot: isSnapshot,
    creator,
    createdAt,
    expiresAt,
    views,
    ...(dashboardId !== null && { dashboardId }),
    ...(viewedAt !== null && { viewedAt }),
    ...(problem !== undefined && { problem }),
  }
}
