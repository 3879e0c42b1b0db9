import type { ReactNode } from "react";
import { cx } from "./cx";

export type ListRowProps = {
  lead?: ReactNode;
  title: ReactNode;
  caption?: ReactNode;
  /** At the end of the first line: the second has the whole width. */
  when?: ReactNode;
  /** At the end of the second line. */
  count?: ReactNode;
  end?: ReactNode;
  current?: boolean;
  onClick?: () => void;
  titleText?: string;
  /** All of it is read, in more lines where one is too short. */
  whole?: boolean;
};

/** A row of two lines in a list panel; a button when it can be clicked. */
export function ListRow({ lead, title, caption, when, count, end, current, onClick, titleText, whole }: ListRowProps) {
  const inner = (
      <>
        {lead}
        <span className="col grow" title={titleText}>
          <span className={cx(!!when && "lrow-line")}>
            <span>{title}</span>
            {when}
          </span>
          {caption && (
            <span className={cx("cap", !!count && "lrow-line")}>
              <span>{caption}</span>
              {count}
            </span>
          )}
        </span>
        {end}
      </>
    ),
    style = cx("lrow", whole && "lrow--whole");
  return onClick ? (
    <button type="button" className={style} aria-current={current || undefined} onClick={onClick}>
      {inner}
    </button>
  ) : (
    <div className={style} aria-current={current || undefined}>
      {inner}
    </div>
  );
}
