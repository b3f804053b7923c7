/** The visits of the shop, as trees of operations across its services. */
import type { Attributes } from './otlpRequests.ts'
import type { Random } from './random.ts'

export const services = [
  'shop-web',
  'shop-catalog',
  'shop-cart',
  'shop-checkout',
  'shop-payment',
  'shop-shipping',
] as const
export type Service = (typeof services)[number]

/** A future span, with the operations that it waits for. */
export interface Operation {
  service: Service
  name: string
  kind: 'server' | 'client' | 'internal'
  attributes: Attributes
  /** Its own milliseconds, without the operations that it calls. */
  own: number
  calls: Operation[]
  /** The reason for its own failure. Failures of called operations propagate to it as well. */
  failure?: string
  /** Log messages besides the access line. */
  says?: { severity: 'DEBUG' | 'INFO' | 'WARN'; text: string; attributes?: Attributes }
}

/** The visit of one person. `trouble` is 0 to 1: the severity of the payment incident. */
export function createVisit(random: Random, trouble: number): Operation {
  const choice = random.next()
  if (choice < 0.45) return page(random, 'GET', '/products/{id}', viewProduct(random))
  if (choice < 0.65) return page(random, 'GET', '/search', searchProducts(random))
  if (choice < 0.83) return page(random, 'POST', '/cart/items', addToCart(random))
  if (choice < 0.95) return page(random, 'POST', '/checkout', checkOut(random, trouble))
  return page(random, 'GET', '/')
}

function page(random: Random, method: string, route: string, ...calls: Operation[]): Operation {
  const attributes = { 'user.country': random.pick(['DE', 'FR', 'NL', 'PL', 'ES']) }
  return server(random, 'shop-web', { method, route, own: 6, calls, attributes })
}

function viewProduct(random: Random): Operation {
  const id = 1000 + random.below(4000)
  const cached = random.chance(0.6)
  const find = cached
    ? redis(random, 'shop-catalog', 'GET', 1.2)
    : sql(random, 'shop-catalog', 'SELECT', 'products', random.chance(0.004) ? 420 : 9)
  const route = server(random, 'shop-catalog', {
    method: 'GET',
    route: '/products/{id}',
    own: 4,
    calls: [find],
    attributes: { 'product.id': id },
  })
  if (find.own > 300) {
    route.says = {
      severity: 'WARN',
      text: `slow query on products: ${Math.round(find.own)} ms`,
      attributes: { 'db.collection.name': 'products' },
    }
  } else if (!cached) {
    route.says = { severity: 'DEBUG', text: `product ${id} was not in the cache` }
  }
  if (random.chance(0.002)) route.failure = `product ${id} has no price`
  return client(random, 'shop-web', route)
}

function searchProducts(random: Random): Operation {
  const words = random.pick(['rain jacket', 'trail shoes', 'tent', 'lamp', 'wool socks', 'backpack'])
  const query = sql(random, 'shop-catalog', 'SELECT', 'product_search', 38)
  const route = server(random, 'shop-catalog', {
    method: 'GET',
    route: '/search',
    own: 7,
    calls: [query],
    attributes: { 'search.words': words },
  })
  route.says = { severity: 'INFO', text: `search for "${words}" found ${random.below(60)} products` }
  return client(random, 'shop-web', route)
}

function addToCart(random: Random): Operation {
  const price = client(
    random,
    'shop-cart',
    server(random, 'shop-catalog', { method: 'GET', route: '/products/{id}/price', own: 2 }),
  )
  const route = server(random, 'shop-cart', {
    method: 'POST',
    route: '/items',
    own: 4,
    calls: [price, redis(random, 'shop-cart', 'HSET', 1.5)],
  })
  if (random.chance(0.03))
    route.says = { severity: 'WARN', text: `product ${1000 + random.below(4000)} is out of stock` }
  return client(random, 'shop-web', route)
}

function checkOut(random: Random, trouble: number): Operation {
  const order = 500_000 + random.below(400_000)
  const amount = Math.round(random.latency(62) * 100) / 100
  const read = client(
    random,
    'shop-checkout',
    server(random, 'shop-cart', {
      method: 'GET',
      route: '/cart',
      own: 3,
      calls: [redis(random, 'shop-cart', 'HGETALL', 1.8)],
    }),
  )
  const pay = client(random, 'shop-checkout', payment(random, trouble, order, amount))
  const ship = client(
    random,
    'shop-checkout',
    server(random, 'shop-shipping', { method: 'POST', route: '/shipments', own: 18 }),
  )
  const insert = sql(random, 'shop-checkout', 'INSERT', 'orders', 11)
  // Without a payment, nothing is shipped and no order is stored.
  const steps = fails(pay) ? [read, pay] : [read, pay, ship, insert]
  const route = server(random, 'shop-checkout', {
    method: 'POST',
    route: '/orders',
    own: 9,
    calls: steps,
    attributes: { 'order.id': order },
  })
  if (!fails(pay))
    route.says = {
      severity: 'INFO',
      text: `order ${order} placed`,
      attributes: { 'order.id': order, 'order.amount': amount },
    }
  return client(random, 'shop-web', route)
}

/**
 * Connections to the payment provider are pooled. During the incident there are too few, and most payments time out.
 */
function payment(random: Random, trouble: number, order: number, amount: number): Operation {
  const wait = trouble > 0 ? random.latency(1_800 + 2_600 * trouble) : random.latency(0.4)
  const timeout = 5_000
  const acquire: Operation = {
    service: 'shop-payment',
    name: 'provider.pool acquire',
    kind: 'internal',
    attributes: { 'pool.name': 'provider', 'pool.size': trouble > 0 ? 5 : 50 },
    own: Math.min(wait, timeout),
    calls: [],
  }
  const declined = random.chance(0.015)
  const charge: Operation = {
    service: 'shop-payment',
    name: 'POST /v2/charges',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'server.address': 'api.payfast.example',
      'http.response.status_code': declined ? 402 : 201,
    },
    own: random.latency(145),
    calls: [],
  }
  const steps = wait > timeout ? [acquire] : [acquire, charge]
  if (wait > timeout)
    acquire.failure = `no connection to the payment provider within ${timeout} ms: all 5 of the pool are in use`
  const route = server(random, 'shop-payment', {
    method: 'POST',
    route: '/payments',
    own: 5,
    calls: steps,
    attributes: { 'order.id': order, 'payment.amount': amount },
  })
  if (wait <= timeout && trouble > 0) {
    route.says = {
      severity: 'WARN',
      text: `waited ${Math.round(wait)} ms for a connection to the payment provider`,
      attributes: { 'pool.size': 5, 'order.id': order },
    }
  } else if (declined) {
    route.says = { severity: 'WARN', text: `card declined for order ${order}` }
  } else if (wait <= timeout) {
    route.says = { severity: 'INFO', text: `payment of ${amount.toFixed(2)} EUR authorised for order ${order}` }
  }
  return route
}

/** Whether an operation or one that it waits for fails. */
export function fails(operation: Operation): boolean {
  return operation.failure !== undefined || operation.calls.some(fails)
}

interface ServedRoute {
  method: string
  route: string
  /** Its usual milliseconds, without the calls. */
  own: number
  calls?: Operation[]
  attributes?: Attributes
}

function server(random: Random, service: Service, served: ServedRoute): Operation {
  const { method, route, own, calls = [], attributes = {} } = served
  return {
    service,
    name: `${method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route, ...attributes },
    own: random.latency(own),
    calls,
  }
}

/** The client span of a call to another service, with the network time. */
function client(random: Random, service: Service, callee: Operation): Operation {
  const attributes = { 'http.request.method': callee.name.split(' ')[0] ?? '', 'server.address': callee.service }
  return { service, name: callee.name, kind: 'client', attributes, own: random.latency(1.1), calls: [callee] }
}

function sql(random: Random, service: Service, verb: string, table: string, own: number): Operation {
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': verb, 'db.collection.name': table }
  return { service, name: `${verb} ${table}`, kind: 'client', attributes, own: random.latency(own), calls: [] }
}

function redis(random: Random, service: Service, command: string, own: number): Operation {
  const attributes = { 'db.system.name': 'redis', 'db.operation.name': command }
  return { service, name: command, kind: 'client', attributes, own: random.latency(own), calls: [] }
}
