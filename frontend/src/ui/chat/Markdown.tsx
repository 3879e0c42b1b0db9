import { ExternalLink, ImageOff } from "lucide-react";
import { memo, useMemo } from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkCjk from "remark-cjk-friendly";
import remarkCjkStrikethrough from "remark-cjk-friendly-gfm-strikethrough";
import remarkGfm from "remark-gfm";
import { Boundary } from "../Boundary";
import { CodeBlock, codeOf } from "./CodeBlock";
import { tooDeep } from "./depth";
import { remarkHtmlAsText } from "./html";
import { rehypeMentions } from "./mentions";
import { useChatWords } from "./words";

const host = (url: string) => {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
};

/** A link says where it leads and opens beside the page. */
function Link({ href, children }: { href?: string; children?: React.ReactNode }) {
  const words = useChatWords();
  if (!href) return <span>{children}</span>;
  return (
    <a className="link md-link" href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
      <ExternalLink size={12} aria-label={words.opensOutside} />
    </a>
  );
}

/** Images are never loaded automatically: the sender would learn who reads them, and when. */
function Picture({ src, alt }: { src?: unknown; alt?: string }) {
  const words = useChatWords();
  const url = typeof src === "string" ? src : "";
  return (
    <span className="md-picture">
      <ImageOff size={12} aria-hidden />
      {url ? <Link href={url}>{words.picture(alt ?? "", host(url))}</Link> : alt}
    </span>
  );
}

const parts = (live: boolean): Components => ({
  a: ({ href, children }) => (href?.startsWith("#") ? <span>{children}</span> : <Link href={href}>{children}</Link>),
  img: ({ src, alt }) => <Picture src={src} alt={alt} />,
  pre: ({ node }) => <CodeBlock {...codeOf(node)} live={live} />,
  table: ({ children }) => (
    <div className="md-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  h1: ({ children }) => <p className="md-h md-h1">{children}</p>,
  h2: ({ children }) => <p className="md-h md-h2">{children}</p>,
  h3: ({ children }) => <p className="md-h">{children}</p>,
  h4: ({ children }) => <p className="md-h">{children}</p>,
  h5: ({ children }) => <p className="md-h">{children}</p>,
  h6: ({ children }) => <p className="md-h">{children}</p>,
});
const settled = parts(false),
  growing = parts(true);
const remark: Options["remarkPlugins"] = [
  [remarkGfm, { singleTilde: false }],
  remarkCjk,
  remarkCjkStrikethrough,
  remarkHtmlAsText,
];
const safe = { ...defaultSchema, attributes: { ...defaultSchema.attributes, p: [["className", "md-plain"]] } };
const nobody: readonly string[] = [];

const pieceSize = 4_000;
const isFence = /^ {0,3}(```|~~~)/gm;

/** Splits a growing text between paragraphs, outside of code, so that finished pieces aren't laid out again. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf("\n\n", pieceSize); at >= 0; at = text.indexOf("\n\n", at + 2)) {
    if (at - from < pieceSize || (text.slice(from, at).match(isFence)?.length ?? 0) % 2) continue;
    pieces.push(text.slice(from, at + 2));
    from = at + 2;
  }
  return [...pieces, text.slice(from)];
}

type Props = { text: string; live?: boolean; mentions?: readonly string[] };

/**
 * A message's text. HTML in it is shown as it was written, links lead outside only by a click, and nothing is fetched.
 * Emphasis works beside Japanese letters and brackets without a space. What is nested too deep to be laid out is shown as it was written.
 */
export const Markdown = memo(function Markdown({ text, live = false, mentions = nobody }: Props) {
  return (
    <div className="md">
      {live ? (
        piecesOf(text).map((piece, i) => <LaidOut key={i} text={piece} live mentions={mentions} />)
      ) : (
        <LaidOut text={text} mentions={mentions} />
      )}
      {live && <span className="caret" aria-hidden />}
    </div>
  );
});

const LaidOut = memo(function LaidOut({ text, live = false, mentions = nobody }: Props) {
  const rehype = useMemo<Options["rehypePlugins"]>(
    () => [
      [rehypeSanitize, safe],
      [rehypeMentions, { names: mentions }],
    ],
    [mentions],
  );
  const deep = useMemo(() => tooDeep(text), [text]),
    plain = <p className="md-plain">{text}</p>;
  if (deep) return plain;
  return (
    <Boundary of={text} instead={plain}>
      <ReactMarkdown remarkPlugins={remark} rehypePlugins={rehype} components={live ? growing : settled}>
        {text}
      </ReactMarkdown>
    </Boundary>
  );
});
