import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { CreatedApiKey } from '#contract/apiKeys.ts'
import css from './CreatedKey.module.css'

/** A new key with its secret. Nothing keeps it: it is gone with this page. */
export function CreatedKey({ created: { key, keyId, keySecret } }: { created: CreatedApiKey }) {
  const { id: connectionId } = useConnection()
  return (
    <Page title={key.name} lead="The API key was created.">
      <div className={css.createdKey}>
        {keyId && keySecret ? (
          <>
            <Notice tone="warning" role="status">
              Copy the secret now: it is shown only once.
            </Notice>
            <Panel title="Key ID and secret">
              <DescriptionList
                rows={[
                  ['Key ID', <CopyId key="id" id={keyId} label="Copy key ID" />],
                  ['Secret', <CopyId key="secret" id={keySecret} label="Copy secret" />],
                ]}
              />
              <div className={css.both}>
                <CopyButton text={`${keyId}:${keySecret}`} label="Copy both as ID:secret" />
              </div>
            </Panel>
          </>
        ) : (
          <Notice tone="info">The deployment returned no secret.</Notice>
        )}
        <div className={css.links}>
          <LinkButton to={paths.apiKey(connectionId, key.id)}>Open the key</LinkButton>
          <LinkButton to={paths.apiKeys(connectionId)}>All API keys</LinkButton>
        </div>
      </div>
    </Page>
  )
}
