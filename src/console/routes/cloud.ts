/** The pages of the cloud control plane. */
import { createRoute } from '@tanstack/react-router'
import { Server, Workflow } from 'lucide-react'
import { queryKey } from '../api/queryClient.ts'
import { connection } from './frame.tsx'
import { page } from './page.ts'

const servicesRoute = createRoute({
  getParentRoute: () => connection,
  path: 'services',
  staticData: {
    title: 'Services',
    nav: { group: 'Cloud', icon: Server, needs: { resource: 'services', variants: ['managed'] }, key: 'v' },
  },
})

const servicesList = createRoute({
  getParentRoute: () => servicesRoute,
  path: '/',
  ...page(() => import('../features/services/ServicesPage.tsx')),
})

const serviceRoute = createRoute({
  getParentRoute: () => servicesRoute,
  path: '$serviceId',
  staticData: {
    title: 'Service',
    record: ({ connectionId = '', serviceId = '' }) =>
      queryKey(connectionId, { resource: 'services', verb: 'get' }, { params: { serviceId } }),
  },
})

const serviceDetail = createRoute({
  getParentRoute: () => serviceRoute,
  path: '/',
  ...page(() => import('../features/services/ServicePage.tsx')),
})

const serviceEdit = createRoute({
  getParentRoute: () => serviceRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('../features/services/EditServicePage.tsx')),
})

const serviceScaling = createRoute({
  getParentRoute: () => serviceRoute,
  path: 'scaling',
  staticData: { title: 'Scaling' },
  ...page(() => import('../features/services/ServiceScalingPage.tsx')),
})

const servicePipeSize = createRoute({
  getParentRoute: () => serviceRoute,
  path: 'pipe-size',
  staticData: { title: 'Size of the database pipes' },
  ...page(() => import('../features/pipes/PipeSizePage.tsx')),
})

const pipesRoute = createRoute({
  getParentRoute: () => connection,
  path: 'pipes',
  staticData: {
    title: 'Data pipes',
    nav: { group: 'Cloud', icon: Workflow, needs: { resource: 'pipes', variants: ['managed'] }, key: 'p' },
  },
})

const pipesList = createRoute({
  getParentRoute: () => pipesRoute,
  path: '/',
  ...page(() => import('../features/pipes/PipesPage.tsx')),
})

const pipeNew = createRoute({
  getParentRoute: () => pipesRoute,
  path: 'new',
  staticData: {
    title: 'New data pipe',
    creates: { title: 'New pipe', changes: { resource: 'pipes', variants: ['managed'] } },
  },
  ...page(() => import('../features/pipes/NewPipePage.tsx')),
})

const pipeRoute = createRoute({
  getParentRoute: () => pipesRoute,
  path: '$serviceId/$dataPipeId',
  staticData: {
    title: 'Data pipe',
    record: ({ connectionId = '', serviceId = '', dataPipeId = '' }) =>
      queryKey(connectionId, { resource: 'pipes', verb: 'get' }, { params: { serviceId, dataPipeId } }),
  },
})

const pipeDetail = createRoute({
  getParentRoute: () => pipeRoute,
  path: '/',
  ...page(() => import('../features/pipes/PipePage.tsx')),
})

const pipeEdit = createRoute({
  getParentRoute: () => pipeRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('../features/pipes/EditPipePage.tsx')),
})

const pipeScaling = createRoute({
  getParentRoute: () => pipeRoute,
  path: 'scaling',
  staticData: { title: 'Scaling' },
  ...page(() => import('../features/pipes/PipeScalingPage.tsx')),
})

const pipeSettings = createRoute({
  getParentRoute: () => pipeRoute,
  path: 'settings',
  staticData: { title: 'Settings' },
  ...page(() => import('../features/pipes/PipeSettingsPage.tsx')),
})

export const cloudRoutes = [
  servicesRoute.addChildren([
    servicesList,
    serviceRoute.addChildren([serviceDetail, serviceEdit, serviceScaling, servicePipeSize]),
  ]),
  pipesRoute.addChildren([
    pipesList,
    pipeNew,
    pipeRoute.addChildren([pipeDetail, pipeEdit, pipeScaling, pipeSettings]),
  ]),
] as const
