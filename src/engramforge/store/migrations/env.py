"""Run migrations on the connection that `upgrade_schema` hands over; there is no offline mode."""

from alembic import context

from engramforge.store.schema import tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=tables,
    transactional_ddl=False,
    render_as_batch=True,
)
context.run_migrations()
