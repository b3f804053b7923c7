import { zodResolver } from '@hookform/resolvers/zod'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { curlOf } from '#console/api/curl.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { PendingChangeNotice } from '#console/shell/pendingChanges/PendingChangeNotice.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ReviewDialog } from '#console/shell/record/ReviewDialog.tsx'
import { usePendingWrite } from '#console/shell/pendingChanges/usePendingWrite.ts'
import { changeCount, withoutChange } from '#console/ui/ChangeTable.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { effectiveService, replicaScalingInput, services, type Service } from '#contract/services.ts'
import { ServiceTabs } from '../parts/ServiceTabs.tsx'
import { serviceKey } from '../model/serviceResource.ts'
import { serviceName, stateLabel, stateTone } from '../model/serviceLabels.ts'
import {
  bounds,
  previousBody,
  formSchema,
  readForm,
  replicaBody,
  replicaChanges,
  withPending,
  type NumberField,
  type ReplicaBody,
  type ReplicaForm,
} from './replicaForm.ts'
import { ReplicaFields } from './ReplicaFields.tsx'
import { Text } from '#console/ui/base/Text.tsx'

interface ReplicaScalingProps {
  service: Service
  /** Epoch milliseconds. */
  reportedAt: number
  unreachable: boolean
}

/** The scaling page of a service: replicas, memory and idling. */
export function ReplicaScaling({ service, reportedAt, unreachable }: ReplicaScalingProps) {
  const connection = useConnection()
  const navigate = useNavigate()
  const params = { serviceId: service.id }
  const inEffect = useMemo(() => effectiveService(service), [service])
  const { write, pending, error, clearError, pendingChange, progress, forget } = usePendingWrite({
    resource: serviceKey(connection.id, service.id),
    reported: inEffect,
    reportedAt,
    onRefused: ({ fields = [] }) => {
      // Object.keys forgets that the keys are NumberField.
      const names = [...(Object.keys(bounds) as NumberField[]), 'autoscalingMode' as const, 'idleScaling' as const]
      return applyFieldErrors(form, fields, names).length === 0 && fields.length > 0
    },
  })
  const pendingValues =
    pendingChange && !pendingChange.outcomeUnknown && progress?.state !== 'reached' ? pendingChange.values : undefined
  const expected = useMemo(() => withPending(service, pendingValues), [service, pendingValues])
  const resolver = useMemo(() => zodResolver(formSchema(expected)), [expected])
  const form = useForm<ReplicaForm>({ defaultValues: readForm(expected), resolver, mode: 'onChange' })
  const values = useWatch({ control: form.control, compute: (all: ReplicaForm) => all })
  const [reviewed, setReviewed] = useState(false)
  const body = replicaBody(values, expected)
  const changes = replicaChanges(body, expected)
  const scale = async (sent: ReplicaBody, what: string) => {
    const change = { values: sent, previous: previousBody(sent, inEffect) }
    const accepted = await write(what, change, replicaChanges(sent, expected), async () => {
      const input = { params, body: replicaScalingInput.parse(sent) }
      const before = previousBody(sent, service)
      const changed = await guardedWrite({
        base: service,
        record: services.get.result,
        unchanged: (now) => sameValue(previousBody(sent, now), before),
        onConflict: (now) => queryClient.setQueryData(q(connection.id, services.get, { params }).queryKey, now),
        write: (base) => call(connection.id, services.replicaScaling, input, { base }),
      })
      queryClient.setQueryData(q(connection.id, services.get, { params }).queryKey, changed)
      void invalidate(connection.id, 'services')
    })
    if (accepted) form.reset(readForm(withPending(service, sent)))
  }
  const submit = form.handleSubmit((all) => scale(replicaBody(all, expected), 'Scaled'))
  const locked = lockReason(connection)
  const title = `Scale ${serviceName(service)}`
  const here = paths.service(connection.id, service.id)
  const parsed = replicaScalingInput.safeParse(body)
  const previous = pendingChange && replicaScalingInput.safeParse(pendingChange.previous).data
  const canRevert = !locked && previous && replicaChanges(previous, expected).length > 0
  const discard = () => {
    clearError()
    form.reset(readForm(expected))
  }
  const send = () => {
    setReviewed(false)
    void submit()
  }
  return (
    <Page
      title={title}
      state={<StatusChip tone={stateTone(service.state)}>{stateLabel(service.state)}</StatusChip>}
      lead="New replicas start before old ones are removed. Running queries can delay this by up to an hour."
      nav={<ServiceTabs />}
    >
      <FormPage
        onSubmit={send}
        submitLabel="Scale service"
        onCancel={() => (changes.length > 0 ? discard() : void navigate({ to: here }))}
        loading={pending}
        submitError={error}
        dirty={changes.length > 0}
        changes={`${changeCount(changes)}${changes.length > 0 ? ' · 1 API request' : ''}`}
        disabled={locked ?? withoutChange(changes)}
        onReview={() => void form.handleSubmit(() => setReviewed(true))()}
      >
        {pendingChange && progress && (
          <PendingChangeNotice
            change={pendingChange}
            progress={progress}
            unreachable={unreachable}
            onRevert={canRevert ? () => void scale(previous, 'Scaling reverted') : undefined}
            reverting={pending}
            onClose={forget}
          />
        )}
        <ReplicaFields form={form} values={values} service={expected} inForce={inEffect} locked={locked} />
      </FormPage>
      {reviewed && (
        <ReviewDialog
          title={title}
          changes={changes}
          requests={['write']}
          command={parsed.success ? curlOf(connection, services.replicaScaling, { params, body: parsed.data }) : null}
          action="Scale service"
          disabled={locked}
          onSend={send}
          onClose={() => setReviewed(false)}
        >
          <Text color="textSecondary">Other values stay unchanged.</Text>
        </ReviewDialog>
      )}
    </Page>
  )
}
