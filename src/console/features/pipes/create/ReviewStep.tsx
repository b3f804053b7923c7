import { curlOf } from '#console/api/curl.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { FoldedPanel } from '#console/ui/layout/FoldedPanel.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { pipeKindNames } from '#contract/cloud/pipeKinds.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { createBody } from '../forms/createBody.ts'
import type { PipeForm } from '../forms/pipeForm.ts'
import { reviewRows, withPlaceholders } from '../forms/reviewRows.ts'
import { stepOf, stepTitles, type Step } from './useSteps.ts'
import * as css from './newPipe.module.css'

interface ReviewStepProps {
  form: PipeForm
  /** The name of the service. */
  service: string
  onEdit: (step: Step) => void
}

/** A review of the records to create, by step, and the request that creates it. Secrets are shown in neither. */
export function ReviewStep({ form, service, onEdit }: ReviewStepProps) {
  const connection = useConnection()
  const rows = reviewRows(form, createBody(form))
  const body = pipes.create.body.safeParse(withPlaceholders(createBody(form)))
  const command = body.success
    ? curlOf(connection, pipes.create, { params: { serviceId: form.serviceId }, body: body.data })
    : null
  const parts = (['source', 'preview', 'destination', 'review'] as const).map((step) => ({
    step,
    rows: rows.filter(({ path }) => stepOf(path) === step).map(({ label, text }) => [label, text] as const),
  }))
  return (
    <>
      <Panel title="Will be created" aside="Secrets are not shown">
        <Column gap={12}>
          {parts.map(
            ({ step, rows: shown }) =>
              shown.length > 0 && (
                <section key={step} aria-label={stepTitles[step]} className={css.reviewPart}>
                  <div className={css.reviewHead}>
                    <Text variant="h3" component="h3">
                      {step === 'preview' ? 'Data' : step === 'review' ? 'Size and settings' : stepTitles[step]}
                    </Text>
                    {step !== 'review' && (
                      <Button size="small" onClick={() => onEdit(step)} aria-label={`Edit ${stepTitles[step]}`}>
                        Edit
                      </Button>
                    )}
                  </div>
                  <DescriptionList
                    rows={[
                      ...(step === 'source'
                        ? ([
                            ['Source type', pipeKindNames[form.kind]],
                            ['Destination service', service],
                          ] as const)
                        : []),
                      ...shown,
                    ]}
                  />
                </section>
              ),
          )}
          <Text color="textSecondary">
            The pipe starts as soon as it is created, and its compute is billed from then on. A source that cannot be
            read shows in its state.
          </Text>
        </Column>
      </Panel>
      {command !== null && (
        <FoldedPanel title="Details" summary="1 request, as cURL" flush>
          <div className={css.copy}>
            <CopyButton text={command} label="Copy as cURL" />
          </div>
          <ScrollRegion as="pre" label="Request as cURL" className={css.reviewCommand}>
            {command}
          </ScrollRegion>
        </FoldedPanel>
      )}
    </>
  )
}
