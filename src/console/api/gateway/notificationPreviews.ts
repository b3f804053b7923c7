/** Previews of notifications, rendered by the gateway. */
import { pagePaths } from '#contract/console/pagePaths.ts'
import { queryOptions } from '@tanstack/react-query'
import type { NotificationPreview, NotificationPreviewInput } from '#contract/console/notificationPreviews.ts'
import { send } from '../send.ts'

/** Needs the right to change records of the connection. */
export const notificationPreview = (connectionId: string, input: NotificationPreviewInput) =>
  queryOptions({
    queryKey: ['notificationPreview', connectionId, input],
    queryFn: ({ signal }) =>
      send<NotificationPreview>(pagePaths.notificationPreview.replace('{connectionId}', connectionId), {
        method: 'POST',
        body: input,
        signal,
        mutates: false,
      }),
    retry: false,
    // The same templates give the same text.
    staleTime: Infinity,
  })
