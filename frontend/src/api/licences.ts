import { ApiError } from "./error";

/** Something that AgentFlow is built from. */
export type Licence = {
  name: string;
  version: string;
  /** SPDX; empty where the text is not a known one. */ identifier: string;
  text: string;
};

/** What the program and the page are built from; both lists are written by the build and come with the page. */
export async function licences(): Promise<{ program: Licence[]; page: Licence[] }> {
  const read = async (name: string) => {
    const res = await fetch(`licences/${name}.json`);
    if (!res.ok)
      throw new ApiError(
        { code: "NOT_FOUND", message: `licences/${name}.json is not there: ${res.status}` },
        res.status,
      );
    return (await res.json()) as Licence[];
  };
  const [program, page] = await Promise.all([read("go"), read("page")]);
  return { program, page };
}
