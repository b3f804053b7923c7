/** The smallest resource: webhooks with a name and a description. */
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { paths } from '#console/paths/paths.ts'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { webhooks, type Webhook } from '#contract/stack/webhooks.ts'
import type { RecordForm } from '../recordForm.ts'
import { defineResource } from '../resource.ts'

const sent = ({ name, service, url, description }: Webhook) => ({
  name,
  service,
  url,
  description: description ?? undefined,
})

export const noteResource = defineResource({
  api: webhooks,
  noun: 'webhook',
  idParams: ['webhookId'],
  paths: { list: paths.webhooks, new: paths.newWebhook, detail: paths.webhook, edit: paths.editWebhook },
  nameOf: ({ name }) => name,
  unchanged: (now, before) => JSON.stringify(sent(now)) === JSON.stringify(sent(before)),
  deletion: { effect: 'Deliveries stop.', body: sent },
})

export type NoteForm = { name: string; description: string }

const read = ({ name, description }: Webhook): NoteForm => ({ name, description: description ?? '' })

export const noteForm: RecordForm<Webhook, NoteForm> = {
  titles: { name: 'Name', description: 'Description' },
  read,
  schema: () => z.object({ name: z.string().min(1, 'Required'), description: z.string() }),
  body: (form, base) => ({ ...(base ? sent(base) : { service: 'generic', url: 'https://a.example/' }), ...form }),
  changed: (form, base) =>
    (['name', 'description'] as const).filter((field) => form[field] !== (base ? read(base)[field] : '')),
  formatValue: (field, form) => form[field],
}

export function NoteFields({ form: { control } }: { form: UseFormReturn<NoteForm> }) {
  return (
    <>
      <TextField control={control} name="name" label="Name" required />
      <TextField control={control} name="description" label="Description" />
    </>
  )
}
