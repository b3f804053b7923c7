/** The gateway: serves the page, signs people in, stores the connections, and forwards the contract's requests to deployments. */
import { mkdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { TrustedProxies } from '#node/net/trustedProxies.ts'
import { createRenderer } from '#node/notifications/renderer.ts'
import { isOperational } from '#node/operations/operationalPaths.ts'
import { followSeeds } from './connections/seedConnections.ts'
import { openCore, type GatewayCore } from './gatewayCore.ts'
import type { Gateway, GatewayOptions } from './gatewayOptions.ts'
import {
  registerAccess,
  registerDeployments,
  registerKeptRecords,
  registerPagesAndOperations,
} from './gatewayRoutes.ts'
import { ConsoleAddress } from './http/consoleAddress.ts'
import { setSecurityHeaders } from './http/headers.ts'
import { createHttpApp } from './http/httpApp.ts'

/** Previews of notifications that may wait for others. */
const maxPreviews = 20

/** Milliseconds that running requests get at shutdown. */
const shutdownTimeout = 5_000

/** Starts listening. @throws the error of `listen` if the port is in use; UnusableState for damaged files in `dataDir` */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, port, dataDir, observer, stackReady } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const renderer = createRenderer({ maxWaiting: maxPreviews })
  const address = new ConsoleAddress(options)
  const app = createApp(options, address)
  const core = await openCore(options, app.log, address)
  const { presence, samplers, signIn } = core

  if (observer) await app.register(observer)
  const people = await registerAccess(app, core)
  const kept = registerKeptRecords(app, core, options, people)
  const deployments = await registerDeployments(app, core, options, kept)
  await registerPagesAndOperations(app, core, options, { renderer, samples: deployments.samples })

  await app.ready()
  await stackReady
  await app.listen({ host, port })
  address.listensOn(portOf(app))
  await signIn.printedLink.renew()
  presence.everyBeat(() => signIn.printedLink.renewIfUsed())
  return {
    url: address.url,
    address: address.local,
    signInUrl: signIn.signInUrl,
    followSeeds: (changed) => followSeedsOf(core, changed),
    close: async () => {
      const force = setTimeout(() => app.server.closeAllConnections(), shutdownTimeout)
      core.stopWatching()
      samplers.close()
      deployments.inventories.close()
      await Promise.all([app.close(), deployments.apiKeys.close(), deployments.changes.close()])
      await Promise.all([kept.history.close(), kept.lastReadings.close()])
      clearTimeout(force)
      await Promise.all([core.close(), renderer.close()])
    },
  }
}

async function followSeedsOf(
  { seeding, connections, presence, samplers }: GatewayCore,
  changed: Parameters<Gateway['followSeeds']>[0],
): Promise<void> {
  if (seeding === 'kept') return
  const removed = await followSeeds({ connections, database: presence.ownWrites }, changed)
  for (const id of removed) samplers.forget(id)
}

/** The server, which receives only what is sent to the addresses of the console. */
function createApp({ logger, tuning = {}, proxyAddresses = [] }: GatewayOptions, address: ConsoleAddress) {
  const isAllowedHost = (request: IncomingMessage, response: ServerResponse) => {
    setSecurityHeaders(response, address.isSecure)
    return isOperational(request.url) || address.allows(request)
  }
  const proxies = proxyAddresses.length > 0 ? new TrustedProxies(proxyAddresses) : undefined
  return createHttpApp(logger, isAllowedHost, { timeouts: tuning.timeouts, proxies, basePath: address.basePath })
}

function portOf(app: FastifyInstance): number {
  // The address of a server that listens on a host and port is an AddressInfo.
  return (app.server.address() as AddressInfo).port
}
