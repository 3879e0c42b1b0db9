import type { ReactNode } from "react";

export type ListRowProps = {
  lead?: ReactNode;
  title: ReactNode;
  caption?: ReactNode;
  end?: ReactNode;
  current?: boolean;
  onClick?: () => void;
  titleText?: string;
};

/** A row of two lines in a list panel; a button when it can be clicked. */
export function ListRow({ lead, title, caption, end, current, onClick, titleText }: ListRowProps) {
  const inner = <>{lead}<span className="col grow" title={titleText}><span>{title}</span>{caption && <span className="cap">{caption}</span>}</span>{end}</>;
  return onClick
    ? <button type="button" className="lrow" aria-current={current || undefined} onClick={onClick}>{inner}</button>
    : <div className="lrow" aria-current={current || undefined}>{inner}</div>;
}
