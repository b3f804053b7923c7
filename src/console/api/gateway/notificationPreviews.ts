/** Previews of notifications, rendered by the gateway. */
import { pagePaths } from '#contract/pagePaths.ts'
import { queryOptions } from '@tanstack/react-query'
import type { NotificationPreview, NotificationPreviewInput } from '#contract/notificationPreviews.ts'
import { send } from '../send.ts'

export const notificationPreview = (input: NotificationPreviewInput) =>
  queryOptions({
    queryKey: ['notificationPreview', input],
    queryFn: ({ signal }) =>
      send<NotificationPreview>(pagePaths.notificationPreview, {
        method: 'POST',
        body: input,
        signal,
        mutates: false,
      }),
    retry: false,
    // The same templates give the same text.
    staleTime: Infinity,
  })
