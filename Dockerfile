# The program with its core, and nothing to build it with:
#   docker build -t reportgen .
#   docker run --rm --user "$(id -u)" -v "$PWD:/lab" reportgen build --runs logs/ --out out/
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/reportgen \
 && /opt/reportgen/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
      -c constraints.txt .

FROM python:3.13-slim
COPY --from=build /opt/reportgen /opt/reportgen
ENV PATH=/opt/reportgen/bin:$PATH REPORTGEN_CACHE=/tmp/reportgen MPLCONFIGDIR=/tmp/matplotlib
WORKDIR /lab
ENTRYPOINT ["reportgen"]
CMD ["--help"]
