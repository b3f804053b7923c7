/** A gateway in a process of its own, to be killed. Argument: a `GatewayOrder` as JSON. Says where it listens, and its sign-in link. */
import { startOrdered, type GatewayOrder } from './orderedGateway.ts'

const order = JSON.parse(process.argv[2] ?? '') as GatewayOrder // `killedRuns.ts` wrote it
const gateway = await startOrdered(order)
process.stdout.write(`${JSON.stringify({ address: gateway.address, signInUrl: gateway.signInUrl() })}\n`)
