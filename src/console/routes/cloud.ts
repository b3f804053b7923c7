/** The pages of the cloud control plane. */
import { createRoute } from '@tanstack/react-router'
import { Server, Workflow } from 'lucide-react'
import { queryKey } from '../api/queryClient.ts'
import { connection } from './frame.tsx'
import { below, page, validIds } from './page.ts'

const servicesRoute = createRoute({
  getParentRoute: () => connection,
  path: below('services', 'connectionHome'),
  staticData: {
    title: 'Services',
    nav: { group: 'Cloud', icon: Server, needs: { resource: 'services', variants: ['managed'] }, key: 'v' },
  },
})

const servicesList = createRoute({
  getParentRoute: () => servicesRoute,
  path: '/',
  ...page('services'),
})

const serviceRoute = createRoute({
  getParentRoute: () => servicesRoute,
  path: below('service', 'services'),
  params: { parse: (params) => validIds(params) },
  staticData: {
    title: 'Service',
    record: ({ connectionId = '', serviceId = '' }) =>
      queryKey(connectionId, { resource: 'services', verb: 'get' }, { params: { serviceId } }),
  },
})

const serviceDetail = createRoute({
  getParentRoute: () => serviceRoute,
  path: '/',
  ...page('service'),
})

const serviceEdit = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('editService', 'service'),
  staticData: { title: 'Edit' },
  ...page('editService'),
})

const serviceScaling = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('scaleService', 'service'),
  staticData: { title: 'Scaling' },
  ...page('scaleService'),
})

const serviceNew = createRoute({
  getParentRoute: () => servicesRoute,
  path: below('newService', 'services'),
  staticData: {
    title: 'New service',
    creates: { title: 'New service', changes: { resource: 'services', variants: ['managed'] } },
  },
  ...page('newService'),
})

const serviceBackups = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('serviceBackups', 'service'),
  staticData: { title: 'Backups' },
  ...page('serviceBackups'),
})

const serviceRestore = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('restoreService', 'service'),
  params: { parse: (params) => validIds(params) },
  staticData: { title: 'Restore' },
  ...page('restoreService'),
})

const serviceSchedule = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('serviceSchedule', 'service'),
  staticData: { title: 'Schedule' },
  ...page('serviceSchedule'),
})

const serviceMetrics = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('serviceMetrics', 'service'),
  staticData: { title: 'Metrics and cost' },
  ...page('serviceMetrics'),
})

const serviceSettings = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('serviceSettings', 'service'),
  staticData: { title: 'Settings' },
  ...page('serviceSettings'),
})

const serviceQueryEndpoint = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('serviceQueryEndpoint', 'service'),
  staticData: { title: 'Query endpoint' },
  ...page('serviceQueryEndpoint'),
})

const servicePrivateEndpoints = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('servicePrivateEndpoints', 'service'),
  staticData: { title: 'Private endpoints' },
  ...page('servicePrivateEndpoints'),
})

const servicePipeSize = createRoute({
  getParentRoute: () => serviceRoute,
  path: below('pipeSize', 'service'),
  staticData: { title: 'Scale database pipes' },
  ...page('pipeSize'),
})

const pipesRoute = createRoute({
  getParentRoute: () => connection,
  path: below('pipes', 'connectionHome'),
  staticData: {
    title: 'Data pipes',
    nav: { group: 'Cloud', icon: Workflow, needs: { resource: 'pipes', variants: ['managed'] }, key: 'p' },
  },
})

const pipesList = createRoute({
  getParentRoute: () => pipesRoute,
  path: '/',
  ...page('pipes'),
})

const pipeNew = createRoute({
  getParentRoute: () => pipesRoute,
  path: below('newPipe', 'pipes'),
  staticData: {
    title: 'New data pipe',
    creates: { title: 'New pipe', changes: { resource: 'pipes', variants: ['managed'] } },
  },
  ...page('newPipe'),
})

const pipeRoute = createRoute({
  getParentRoute: () => pipesRoute,
  path: below('pipe', 'pipes'),
  params: { parse: (params) => validIds(params) },
  staticData: {
    title: 'Data pipe',
    record: ({ connectionId = '', serviceId = '', dataPipeId = '' }) =>
      queryKey(connectionId, { resource: 'pipes', verb: 'get' }, { params: { serviceId, dataPipeId } }),
  },
})

const pipeDetail = createRoute({
  getParentRoute: () => pipeRoute,
  path: '/',
  ...page('pipe'),
})

const pipeEdit = createRoute({
  getParentRoute: () => pipeRoute,
  path: below('editPipe', 'pipe'),
  staticData: { title: 'Edit' },
  ...page('editPipe'),
})

const pipeScaling = createRoute({
  getParentRoute: () => pipeRoute,
  path: below('scalePipe', 'pipe'),
  staticData: { title: 'Scaling' },
  ...page('scalePipe'),
})

const pipeSettings = createRoute({
  getParentRoute: () => pipeRoute,
  path: below('pipeSettings', 'pipe'),
  staticData: { title: 'Settings' },
  ...page('pipeSettings'),
})

const rightSizing = createRoute({
  getParentRoute: () => pipesRoute,
  path: below('rightSizing', 'pipes'),
  staticData: { title: 'Right-sizing' },
  ...page('rightSizing'),
})

export const cloudRoutes = [
  servicesRoute.addChildren([
    servicesList,
    serviceNew,
    serviceRoute.addChildren([
      serviceDetail,
      serviceEdit,
      serviceScaling,
      serviceBackups,
      serviceRestore,
      serviceSchedule,
      serviceMetrics,
      serviceSettings,
      serviceQueryEndpoint,
      servicePrivateEndpoints,
      servicePipeSize,
    ]),
  ]),
  pipesRoute.addChildren([
    pipesList,
    pipeNew,
    rightSizing,
    pipeRoute.addChildren([pipeDetail, pipeEdit, pipeScaling, pipeSettings]),
  ]),
] as const
