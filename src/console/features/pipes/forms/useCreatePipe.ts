/** State, validation and submission of the form of a new pipe. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { formatError } from '#console/api/errors.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { useRecordCreate } from '#console/shell/record/useRecordCreate.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { pipeCreateStrict } from '#contract/pipeInputs.ts'
import { pipes } from '#contract/pipes.ts'
import { pipeName } from '../model/pipeLabels.ts'
import { pipeResource } from '../model/pipeResource.ts'
import { createBody, createSchema } from './createBody.ts'
import { emptyForm, type PipeForm } from './pipeForm.ts'
import { pipeRefusals, shownFields } from './refusals.ts'

/** @param serviceId the preselected service */
export function useCreatePipe(serviceId: string) {
  const { id: connectionId } = useConnection()
  const [start] = useState(() => emptyForm(serviceId))
  const form = useForm<PipeForm>({ defaultValues: start, resolver: zodResolver(createSchema), mode: 'onTouched' })
  const { create, ...creating } = useRecordCreate(pipes.create, {
    noun: pipeResource.longNoun,
    nameOf: pipeName,
    pathOf: ({ id }, { params }) => paths.pipe(connectionId, params.serviceId, id),
    showFailure: (failure) => showFailure(form, failure),
  })
  const send = (values: PipeForm) =>
    create({ params: { serviceId: values.serviceId }, body: pipeCreateStrict.parse(createBody(values)) })
  return { form, send, ...creating }
}

function showFailure(form: UseFormReturn<PipeForm>, failure: ApiFailure): ErrorText | null {
  const fields = pipeRefusals(failure)
  const unclaimed = applyFieldErrors(form, fields, shownFields(form.getValues()))
  return fields.length > 0 && unclaimed.length === 0 ? null : formatError(failure, location.pathname)
}
