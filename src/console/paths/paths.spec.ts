import { expect, test } from 'vitest'
import { onConnection, paths } from './paths.ts'

test('every URL of the console', () => {
  const sample = ['connection-1', 'thing-1', 'part-1'] as const
  const all = Object.fromEntries(
    // Builders take up to three IDs: the sample has enough for each.
    Object.entries(paths).map(([name, path]) => [name, (path as (...ids: readonly string[]) => string)(...sample)]),
  )
  expect(all).toMatchInlineSnapshot(`
    {
      "account": "/account",
      "activities": "/c/connection-1/activities",
      "agents": "/agents",
      "alert": "/c/connection-1/alerts/thing-1",
      "alerts": "/c/connection-1/alerts",
      "apiKey": "/c/connection-1/api-keys/thing-1",
      "apiKeys": "/c/connection-1/api-keys",
      "audit": "/audit",
      "changeRequest": "/change-requests/connection-1",
      "changeRequests": "/change-requests",
      "connectionApproval": "/connections/connection-1/approval",
      "connectionHome": "/c/connection-1",
      "connections": "/connections",
      "dashboard": "/c/connection-1/dashboards/thing-1",
      "dashboards": "/c/connection-1/dashboards",
      "editAlert": "/c/connection-1/alerts/thing-1/edit",
      "editApiKey": "/c/connection-1/api-keys/thing-1/edit",
      "editConnection": "/connections/connection-1/edit",
      "editPipe": "/c/connection-1/pipes/thing-1/part-1/edit",
      "editRole": "/c/connection-1/roles/thing-1/edit",
      "editSavedSearch": "/c/connection-1/saved-searches/thing-1/edit",
      "editService": "/c/connection-1/services/thing-1/edit",
      "editSource": "/c/connection-1/sources/thing-1/edit",
      "editWebhook": "/c/connection-1/webhooks/thing-1/edit",
      "environments": "/environments",
      "explorer": "/c/connection-1/explorer",
      "history": "/c/connection-1/history",
      "home": "/",
      "linkedDashboard": "/dashboards/connection-1",
      "linkedSearch": "/search/connection-1",
      "members": "/c/connection-1/members",
      "newAlert": "/c/connection-1/alerts/new",
      "newApiKey": "/c/connection-1/api-keys/new",
      "newConnection": "/connections/new",
      "newPipe": "/c/connection-1/pipes/new",
      "newRole": "/c/connection-1/roles/new",
      "newSavedSearch": "/c/connection-1/saved-searches/new",
      "newService": "/c/connection-1/services/new",
      "newSource": "/c/connection-1/sources/new",
      "newWebhook": "/c/connection-1/webhooks/new",
      "organization": "/c/connection-1/organization",
      "people": "/people",
      "pipe": "/c/connection-1/pipes/thing-1/part-1",
      "pipeSettings": "/c/connection-1/pipes/thing-1/part-1/settings",
      "pipeSize": "/c/connection-1/services/thing-1/pipe-size",
      "pipes": "/c/connection-1/pipes",
      "promote": "/promote",
      "restoreService": "/c/connection-1/services/thing-1/backups/part-1/restore",
      "rightSizing": "/c/connection-1/right-sizing",
      "role": "/c/connection-1/roles/thing-1",
      "roles": "/c/connection-1/roles",
      "rotateApiKey": "/c/connection-1/api-keys/thing-1/rotate",
      "savedSearch": "/c/connection-1/saved-searches/thing-1",
      "savedSearches": "/c/connection-1/saved-searches",
      "savedStatements": "/c/connection-1/explorer/statements",
      "scalePipe": "/c/connection-1/pipes/thing-1/part-1/scaling",
      "scaleService": "/c/connection-1/services/thing-1/scaling",
      "search": "/c/connection-1/search",
      "service": "/c/connection-1/services/thing-1",
      "serviceBackups": "/c/connection-1/services/thing-1/backups",
      "serviceMetrics": "/c/connection-1/services/thing-1/metrics",
      "servicePrivateEndpoints": "/c/connection-1/services/thing-1/private-endpoints",
      "serviceQueryEndpoint": "/c/connection-1/services/thing-1/query-endpoint",
      "serviceSchedule": "/c/connection-1/services/thing-1/schedule",
      "serviceSettings": "/c/connection-1/services/thing-1/settings",
      "services": "/c/connection-1/services",
      "sessions": "/sessions",
      "settings": "/settings",
      "shared": "/shared",
      "signIn": "/sign-in",
      "source": "/c/connection-1/sources/thing-1",
      "sources": "/c/connection-1/sources",
      "sql": "/c/connection-1/explorer/sql",
      "storage": "/c/connection-1/storage",
      "team": "/c/connection-1/team",
      "teamKeys": "/c/connection-1/keys",
      "trace": "/c/connection-1/traces/thing-1",
      "usage": "/c/connection-1/usage",
      "webhook": "/c/connection-1/webhooks/thing-1",
      "webhooks": "/c/connection-1/webhooks",
    }
  `)
})

test('a page of a connection leads to the same page of another one, the page of a record to its list', () => {
  expect(onConnection('/c/$connectionId/alerts', 'b')).toBe('/c/b/alerts')
  expect(onConnection('/c/$connectionId/alerts/new', 'b')).toBe('/c/b/alerts/new')
  expect(onConnection('/c/$connectionId/alerts/$alertId', 'b')).toBe('/c/b/alerts')
  expect(onConnection('/c/$connectionId/alerts/$alertId/edit', 'b')).toBe('/c/b/alerts')
})
