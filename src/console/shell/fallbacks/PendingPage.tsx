import * as css from '../shell.module.css'

/** The placeholder of a page while its code is loading. */
export function PendingPage() {
  return (
    <div aria-busy className={css.pendingPage}>
      <Block width={180} height={22} />
      <Block width={320} height={14} />
      <Block width="100%" height={240} />
    </div>
  )
}

function Block({ width, height }: { width: number | string; height: number }) {
  return <div className={css.placeholder} style={{ width: width, height: height }} />
}
